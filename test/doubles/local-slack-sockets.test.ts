import { afterEach, beforeEach, expect, it } from "vitest"
import { WebSocket } from "ws"
import {
  appToken,
  botToken,
  type RunningApp,
  signingSecret,
  startSocketApp,
} from "../helpers/bolt-app.ts"
import { clientOf, refusal } from "../helpers/slack-client.ts"
import { ADA, DOCS, type LocalSlack, startLocalSlack } from "../sandbox/slack/index.ts"

let slack: LocalSlack
let apps: RunningApp[]

beforeEach(async () => {
  apps = []
  const options = { signingSecret, botToken, appToken, ackTimeoutMs: 500 }
  slack = await startLocalSlack({ ...options, mode: "socket" })
})
afterEach(async () => {
  for (const app of apps) await app.stop()
  await slack.close()
})

/** Starts a bot that replies to `/who` with its name. */
async function startNamed(name: string): Promise<void> {
  const app = await startSocketApp(slack, (bolt) => {
    bolt.command("/who", ({ ack }) => ack(name))
    bolt.command("/silent", () => Promise.resolve())
  })
  apps.push(app)
}

async function who(): Promise<string | undefined> {
  const { shown, error } = await slack.as(ADA).slash(DOCS, "/who")
  return error ?? shown?.text
}

it("fails a command at once without a connection, and in time without an answer", async () => {
  expect(await who()).toBe("dispatch_failed")
  await startNamed("one")
  expect((await slack.as(ADA).slash(DOCS, "/silent")).error).toBe("operation_timeout")
})

it("refreshes connections, and the bot comes back", async () => {
  await startNamed("one")
  slack.sockets.disconnect("refresh_requested")
  expect(slack.sockets.open).toBe(0)
  expect(await who()).toBe("dispatch_failed")
  await slack.until((one) => one.sockets.open === 1)
  expect(await who()).toBe("one")
})

it("fails a delivery whose connection breaks before the answer", async () => {
  await startNamed("one")
  const pending = slack.as(ADA).slash(DOCS, "/silent")
  slack.sockets.cut()
  expect((await pending).error).toBe("dispatch_failed")
  await slack.until((one) => one.sockets.open === 1)
  expect(await who()).toBe("one")
})

it("hands out tickets for app tokens only, each good for one of ten connections", async () => {
  expect(await refusal(clientOf(slack, botToken).apps.connections.open())).toBe(
    "not_allowed_token_type",
  )
  const first = await ticket()
  expect((await connect(first)).type).toBe("hello")
  await expect(connect(first)).rejects.toThrow(/408/)
  for (let n = 2; n <= 10; n += 1)
    expect(await connect(await ticket())).toMatchObject({ num_connections: n })
  expect(await connect(await ticket())).toMatchObject({ reason: "too_many_websockets" })
})

async function ticket(): Promise<string> {
  const { url } = await clientOf(slack, appToken).apps.connections.open()
  return String(url)
}

function connect(url: string): Promise<{ type: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.on("error", reject)
    socket.on("message", (data: Buffer) => resolve(JSON.parse(data.toString())))
  })
}
