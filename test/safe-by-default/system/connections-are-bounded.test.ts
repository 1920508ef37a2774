import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { stringify } from "node:querystring"
import pidusage from "pidusage"
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest"
import type { BotProcess } from "../../helpers/process.ts"
import { type ProcessBed, startProcessBed } from "../../helpers/process-bed.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS, signatureHeaders } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const { test } = useTestBed()

/** Number of connections, above the limit in .github/SECURITY.md. */
const SENDERS = 560

/** Opens connections that send half of the headers, and reopens each that is closed. */
async function besiege(port: number): Promise<{ dropped: () => number }> {
  const sockets = new Set<Socket>()
  let [dropped, over] = [0, false]
  const open = () => {
    if (over) return
    const socket = connect(port, "127.0.0.1")
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => {
      sockets.delete(socket)
      dropped += 1
      setImmediate(open)
    })
    socket.write("POST /slack/events HTTP/1.1\r\n")
  }
  onTestFinished(() => {
    over = true
    for (const socket of sockets) socket.destroy()
  })
  for (let n = 0; n < SENDERS; n += 1) open()
  await expect.poll(() => dropped).toBeGreaterThan(SENDERS)
  return { dropped: () => dropped }
}

/** Asks for health on a connection of its own, because the bot may close one that waits. */
const healthz = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } })

test("whoever opens hundreds of connections, again and again, locks out neither Slack nor who asks for health", async (h) => {
  const { dropped } = await besiege(h.bot.port)
  for (let n = 0; n < 10; n += 1) {
    const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
    expect(asked).toMatchObject({ ok: true })
    expect((await healthz(h.bot.port)).status).toBe(200)
  }
  expect(dropped()).toBeGreaterThan(SENDERS)
})

test("SAFE-1: a thousand signed commands over as many connections at once are all answered", async (h) => {
  const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
  const sockets = Array.from({ length: 1000 }, () => connect(h.bot.port, "127.0.0.1"))
  const answers = sockets.map(async (socket) => {
    const [answer] = await once(socket, "data").catch((error: Error) => [error.message])
    return String(answer).split("\r\n")[0]
  })
  sockets.forEach((socket, n) => {
    const command = signedCommand({ ...payload, trigger_id: `${n}.of.a.thousand` })
    socket.once("connect", () => socket.write(command))
  })
  expect([...new Set(await Promise.all(answers))]).toEqual(["HTTP/1.1 200 OK"])
  for (const socket of sockets) socket.destroy()
})

function signedCommand(form: Readonly<Record<string, string>>): string {
  const body = stringify(form)
  const headers = {
    ...signatureHeaders(SECRETS.signingSecret, Math.floor(Date.now() / 1000), body),
    "content-type": "application/x-www-form-urlencoded",
    "content-length": body.length,
  }
  return head(EVENTS, headers) + body
}

const HALVES = 300
/** Declared body size in bytes, just under the maximum; the test sends only half of it. */
const BODY_BYTES = 1_000_000
const HALF = Buffer.alloc(BODY_BYTES / 2, "x")
const MEGABYTE = Buffer.alloc(1024 * 1024, "x")
/** Maximum memory in bytes for all of them together. */
const ROOM_BYTES = 40 * 1024 * 1024

let bed: ProcessBed
let bot: BotProcess

beforeAll(async () => {
  bed = await startProcessBed()
  bot = await bed.start("web")
  // Warm-up, not measured: a new process grows with everything that it does for the first time.
  await hungUp(await senders(head(EVENTS, length), HALF))
})
afterAll(() => bed[Symbol.asyncDispose]())

function head(route: string, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${route} HTTP/1.1\r\nhost: bot\r\n${lines.join("")}\r\n`
}

function stamped(secondsAgo: number): Record<string, string> {
  const moment = Math.floor(Date.now() / 1000) - secondsAgo
  return {
    "x-slack-signature": `v0=${"0".repeat(64)}`,
    "x-slack-request-timestamp": String(moment),
  }
}

/** Sends part of a request and never the rest. */
function sendPart(text: string, body: Buffer) {
  const socket = connect(bot.port, "127.0.0.1")
  socket.on("error", () => {}).resume()
  const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  const sent = new Promise<void>((resolve) => {
    socket.write(text)
    socket.write(body, () => resolve())
  })
  return { socket, sent: Promise.race([sent, gone]), gone }
}

/** Starts HALVES such requests, whose total cost is measured, before a busy bot looks at the first. */
async function senders(text: string, body: Buffer) {
  process.kill(bot.pid, "SIGSTOP")
  const all = Array.from({ length: HALVES }, () => sendPart(text, body))
  await Promise.all(all.map(({ socket }) => once(socket, "connect")))
  process.kill(bot.pid, "SIGCONT")
  return all
}

/** Waits until the bot has received what was sent and is idle, then ends the connections. */
async function hungUp(all: readonly ReturnType<typeof sendPart>[]): Promise<number> {
  await Promise.all(all.map(({ sent }) => sent))
  await healthz(bot.port)
  const { memory } = await pidusage(bot.pid)
  for (const { socket } of all) socket.destroy()
  await Promise.all(all.map(({ gone }) => gone))
  return memory
}

const EVENTS = "POST /slack/events"
const length = { "content-length": BODY_BYTES }

const KINDS: readonly [string, () => string, Buffer][] = [
  ["without a signature", () => head(EVENTS, length), HALF],
  ["with an old moment", () => head(EVENTS, { ...stamped(600), ...length }), HALF],
  ["with a made-up signature", () => head(EVENTS, { ...stamped(0), ...length }), HALF],
  ["far too large", () => head(EVENTS, { ...stamped(0), "content-length": 2 ** 30 }), HALF],
  [
    "of no announced length",
    () => head(EVENTS, { ...stamped(0), "transfer-encoding": "chunked" }),
    Buffer.concat([Buffer.from(`${BODY_BYTES.toString(16)}\r\n`), HALF]),
  ],
  ["to another route", () => head("GET /healthz", length), HALF],
  ["without the end of the head", () => head(EVENTS, length).slice(0, -2), Buffer.alloc(0)],
]

describe("half requests that Slack did not sign cost little, and not for long", () => {
  test.each(KINDS)("%s cost little", async (_, text, body) => {
    const before = (await pidusage(bot.pid)).memory
    const most = await hungUp(await senders(text(), body))
    const after = (await pidusage(bot.pid)).memory
    expect(Math.max(most, after) - before).toBeLessThan(ROOM_BYTES)
  })

  test("of every kind are closed by the bot", async () => {
    const each = KINDS.flatMap(([, text, body]) => [1, 2, 3].map(() => sendPart(text(), body)))
    await Promise.all(each.map(({ gone }) => gone))
  }, 15_000)

  test("a refused request is not taken in", async () => {
    const { socket, gone } = sendPart(head(EVENTS, { "content-length": 2 ** 30 }), Buffer.alloc(0))
    let megabytes = 0
    for (; megabytes < 128 && !socket.destroyed; megabytes += 1) {
      const taken = new Promise<void>((resolve) => socket.write(MEGABYTE, () => resolve()))
      await Promise.race([taken, gone])
    }
    socket.destroy()
    // The operating system buffers some of it for sender and receiver.
    expect(megabytes).toBeLessThan(64)
  })

  test("Slack is heard while half requests come and hang, also with an unusually large command", async () => {
    const all = await senders(head(EVENTS, { ...stamped(0), ...length }), HALF)
    const large = await bed.slack.as(ADA).slash(DOCS, "/docs-agent", "x".repeat(500_000))
    expect(large.shown?.text).toMatch(/^Send this as a request/)
    await Promise.all(all.map(({ sent }) => sent))
    const asked = await bed.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
    expect(asked.shown?.text).toMatch(/docs-agent/)
    await hungUp(all)
  })
})
