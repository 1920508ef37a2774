import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { EPOCH } from "../../src/jobs/keys.ts"
import { type BotProcess, launchBot, startBot } from "../helpers/process.ts"
import { botMessages, botSays, docsUntil } from "../helpers/reading.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import { eventsUrl, startOtherParties } from "../sandbox/test-bed.ts"

/** Minimum time in ms that a platform allows between SIGTERM and SIGKILL. */
const IN_TIME_MS = 10_000
/** Time limit in ms for a takeover: at once, not when a lease of 30 s or more ends. */
const AT_ONCE_MS = 8_000

let server: RedisServer
let slack: LocalSlack
let docs: DocsService
let env: Record<string, string>
const running: BotProcess[] = []

beforeAll(async () => {
  server = await startRedisServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.client.flushall()
  await letGrant()
  const otherParties = await startOtherParties({})
  slack = otherParties.slack
  docs = otherParties.docs
  env = {
    ...otherParties.env,
    REDIS_URL: server.url,
    PORT: "0",
    POLL_MIN_MS: "50",
    POLL_MAX_MS: "200",
    LOG_LEVEL: "info",
  }
})
afterEach(async () => {
  for (const bot of running.splice(0)) await bot[Symbol.asyncDispose]()
  await slack.close()
  await docs.close()
})

/** Skips the ten seconds in which an empty Redis grants nothing: no process could report. */
async function letGrant(): Promise<void> {
  const run = /run_id:(\w+)/.exec(await server.client.info("server"))?.[1] ?? ""
  await server.client.set(EPOCH, `0 ${run}`)
}

async function start(type: "all" | "web" | "worker", more: Record<string, string> = {}) {
  const bot = await startBot(type, { ...env, ...more })
  running.push(bot)
  if (type !== "worker") slack.setEventsUrl(eventsUrl(bot.port))
  return bot
}

/** Sends SIGTERM and expects an orderly exit in time. Resolves to the duration in ms. */
async function terminate(bot: BotProcess): Promise<number> {
  const began = performance.now()
  expect(await bot.kill("SIGTERM")).toBe(0)
  const took = performance.now() - began
  expect(took).toBeLessThan(IN_TIME_MS)
  return took
}

const ask = (words: string) => slack.as(ADA).slash(DOCS, "/docs-agent", words)
const closings = () => botMessages(slack).filter((message) => message.threadTs !== undefined)
const closing = (says: RegExp, timeoutMs: number) =>
  slack.until(() => closings().find(({ text }) => says.test(text)), { timeoutMs })

describe("SIGTERM ends a process in good order", () => {
  test.each(["all", "web", "worker"] as const)("%s, idle", async (type) => {
    expect(await terminate(await start(type))).toBeLessThan(2000)
  })

  test("while it is still starting", async () => {
    slack.fail({ kind: "timeout", when: "before", method: "auth.test" })
    const bot = launchBot("all", env)
    await slack.until(({ calls }) => calls.some(({ method }) => method === "auth.test"))
    expect(await bot.kill("SIGTERM")).toBe(0)
  })

  test.each(["all", "worker"] as const)(
    "%s with Redis away and nothing in hand: at once",
    async (type) => {
      const bot = await start(type)
      await server.kill()
      try {
        await bot.says(/Redis/)
        expect(await terminate(bot)).toBeLessThan(3000)
        expect(bot.lines.at(-1)).toMatch(/"msg":"stopped"/)
      } finally {
        await server.restart()
      }
    },
  )

  test("with somebody waiting, who is served by the next process", async () => {
    docs.planAll({ ending: "pull_request", afterMs: 0 })
    docs.fail({ type: "rate_limited", retryAfter: { seconds: 600 }, kind: "create", times: 1 })
    const first = await start("all")
    await ask("wait for me")
    await botSays({ slack }, /Waiting for the hourly limit/)

    expect(await terminate(first)).toBeLessThan(2000)
    await server.client.del(...(await server.client.keys("{da}:queue:*:pause")))
    await start("worker")

    await closing(/request is ready/, AT_ONCE_MS)
    expect(docs.creations).toHaveLength(1)
  })

  test("while the service takes its time to create: the answer is waited for", async () => {
    docs.planAll({ ending: "pull_request", afterMs: 0 })
    docs.fail({ type: "delay", ms: 3000, when: "after", kind: "create", times: 1 })
    const first = await start("all")
    await ask("slow but sure")
    await docsUntil({ docs }, ({ creations }) => creations.length === 1)

    await terminate(first)
    await start("worker")

    await closing(/request is ready/, AT_ONCE_MS)
    expect(docs.creations).toHaveLength(1)
  })

  test("while the service never answers a creation: its outcome is told as unknown", async () => {
    docs.fail({ type: "hang", when: "after", kind: "create", times: 1 })
    const first = await start("all")
    await ask("this is never answered")
    await docsUntil({ docs }, ({ creations }) => creations.length === 1)

    await terminate(first)
    await start("worker")

    await closing(/Couldn't confirm/, AT_ONCE_MS)
    expect(docs.creations).toHaveLength(1)
  })

  test("while the service never answers a poll: the next process polls at once", async () => {
    docs.planAll({ ending: "never", afterMs: 0 })
    const first = await start("all")
    await ask("poll me later")
    await botSays({ slack }, /Working on it/)
    const hanging = docs.fail({ type: "hang", kind: "get" })
    const before = hanging.hits
    await expect.poll(() => hanging.hits).toBeGreaterThan(before)

    expect(await terminate(first)).toBeLessThan(3000)
    hanging.clear()
    docs.finish(docs.creations[0]?.jobId ?? "", "pull_request")
    await start("worker")

    await closing(/request is ready/, AT_ONCE_MS)
  })

  test.each([
    ["posted, but no answer came", { kind: "timeout", when: "after" }],
    ["not posted, and no answer came", { kind: "timeout", when: "before" }],
    ["posted slowly", { kind: "slow", ms: 3000 }],
  ] as const)("while the closing reply is %s: it is there once", async (_, fault) => {
    docs.planAll({ ending: "pull_request", afterMs: 0 })
    const isClosing = (args: Record<string, unknown>) => args.thread_ts !== undefined
    const struck = slack.fail({
      ...fault,
      method: "chat.postMessage",
      times: 1,
      matching: isClosing,
    })
    const first = await start("all")
    await ask("close me later")
    await expect.poll(() => struck.hits).toBe(1)

    await terminate(first)
    await start("worker")

    await closing(/request is ready/, AT_ONCE_MS)
    await botSays({ slack }, /request is ready/)
    expect(closings()).toHaveLength(1)
  })

  test("with a client that never ends its request", async () => {
    const web = await start("web")
    const socket = connect(web.port, "127.0.0.1")
    socket.on("error", () => {})
    await once(socket, "connect")
    socket.write("POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nfive")
    await terminate(web)
    socket.destroy()
  })
})

test("a second signal ends it at once", async () => {
  docs.fail({ type: "hang", kind: "create" })
  const bot = await start("all")
  await ask("in the way")
  await docsUntil({ docs }, ({ requests }) => requests.some(({ kind }) => kind === "create"))
  const ended = bot.kill("SIGTERM")
  await bot.says(/"msg":"stopping"/)
  const began = performance.now()
  void bot.kill("SIGTERM")
  expect(await ended).toBe(1)
  expect(performance.now() - began).toBeLessThan(1000)
})
