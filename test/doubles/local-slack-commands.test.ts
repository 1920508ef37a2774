import { afterEach, beforeEach, expect, it } from "vitest"
import { botToken, type RunningApp, signingSecret, startHttpApp } from "../helpers/bolt-app.ts"
import { ADA, type LocalSlack, RANDOM, startLocalSlack } from "../sandbox/slack/index.ts"

let slack: LocalSlack
let app: RunningApp | undefined

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret, botToken, mode: "http", ackTimeoutMs: 1000 })
})
afterEach(async () => {
  await app?.stop()
  await slack.close()
})

it("lets a command answer through its response URL, five times, where the bot is no member", async () => {
  app = await startHttpApp(slack, (bolt) => {
    bolt.command("/docs-agent", async ({ ack, respond }) => {
      await ack()
      for (let n = 1; n <= 5; n += 1) await respond({ response_type: "in_channel", text: `${n}` })
      await respond("6").catch(() => undefined)
    })
  })
  await slack.as(ADA).slash(RANDOM, "/docs-agent", "x")
  const calls = await slack.until((one) => {
    const made = one.calls.filter((call) => call.method === "response_url")
    return made.length === 6 && made
  })
  expect(slack.channel(RANDOM).messages()).toHaveLength(5)
  expect(calls.at(-1)).toMatchObject({ error: "used_url" })
})
