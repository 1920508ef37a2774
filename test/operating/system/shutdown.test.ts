import { once } from "node:events"
import { connect } from "node:net"
import { describe, expect, test } from "vitest"
import { metricsOf } from "../../helpers/of-itself.ts"
import { type BotProcess, launch } from "../../helpers/process.ts"
import { startProcessBed } from "../../helpers/process-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

/** Minimum time in ms that a platform allows between SIGTERM and SIGKILL. */
const IN_TIME_MS = 10_000
/** Time limit in ms for a takeover: at once, not when a lease of 30 s or more ends. */
const AT_ONCE_MS = 8_000

/** Starts a process bed, with what is asked and told there. */
async function aWorld() {
  const env = { POLL_MIN_MS: "50", POLL_MAX_MS: "200", LOG_LEVEL: "info" }
  const bed = await startProcessBed({ env })
  const closings = () => bed.botMessages().filter(({ threadTs }) => threadTs !== undefined)
  return {
    ...bed,
    closings,
    ask: (words: string) => bed.slack.as(ADA).slash(DOCS, "/docs-agent", words),
    closing: (says: RegExp) =>
      bed.slack.until(() => closings().find(({ text }) => says.test(text)), {
        timeoutMs: AT_ONCE_MS,
      }),
  }
}

/** Sends SIGTERM and expects an orderly exit in time. Resolves to the duration in ms. */
async function terminate(bot: BotProcess): Promise<number> {
  const began = performance.now()
  expect(await bot.kill("SIGTERM")).toBe(0)
  const took = performance.now() - began
  expect(took).toBeLessThan(IN_TIME_MS)
  return took
}

describe("OPS-11: SIGTERM ends a process in good order", () => {
  test.each(["all", "web", "worker"] as const)(
    "%s, which until then answers whoever asks for its health, by GET and by HEAD",
    async (type) => {
      await using w = await aWorld()
      const bot = await w.start(type)
      const answer = (path: string, method = "GET") =>
        fetch(`http://127.0.0.1:${bot.port}${path}`, { method })
      for (const path of ["/healthz", "/readyz"])
        for (const method of ["GET", "HEAD"])
          expect([path, method, (await answer(path, method)).status]).toEqual([path, method, 200])
      expect(await (await answer("/readyz", "HEAD")).text()).toBe("")
      const named = `docs_agent_build_info{type="${type}",version="`
      expect(await metricsOf(bot)).toContain(named)
      expect(await terminate(bot)).toBeLessThan(2000)
    },
  )

  test("while it is still starting", async () => {
    await using w = await aWorld()
    w.slack.fail({ kind: "timeout", when: "before", method: "auth.test" })
    const bot = launch(["all"], w.env)
    await w.slack.until(({ calls }) => calls.some(({ method }) => method === "auth.test"))
    expect(await bot.kill("SIGTERM")).toBe(0)
  })

  test.each(["all", "worker"] as const)(
    "%s with Redis away and nothing in hand: at once",
    async (type) => {
      await using w = await aWorld()
      const bot = await w.start(type)
      await w.server.kill()
      await bot.says(/Redis/)
      expect(await terminate(bot)).toBeLessThan(3000)
      expect(bot.lines.at(-1)).toMatch(/"msg":"stopped"/)
    },
  )
})

// Run at once: they mostly wait for time limits.
describe.concurrent("SIGTERM ends a process in good order", () => {
  test("with somebody waiting, who is served by the next process", async () => {
    await using w = await aWorld()
    w.docs.planAll({ ending: "pull_request", afterMs: 0 })
    w.docs.fail({ type: "rate_limited", retryAfter: 600, kind: "create", times: 1 })
    const first = await w.start("all")
    await w.ask("wait for me")
    await w.botSays(/Waiting for the hourly limit/)

    expect(await terminate(first)).toBeLessThan(2000)
    await w.server.client.del(...(await w.server.client.keys("{da}:queue:*:pause")))
    await w.start("worker")

    await w.closing(/request is ready/)
    expect(w.docs.creations).toHaveLength(1)
  })

  test.for([
    ["takes its time: it is waited for", { type: "delay", ms: 3000 }, /request is ready/],
    ["never answers: it is told as unknown", { type: "hang" }, /Couldn't confirm/],
  ] as const)("while the service, asked to create, %s", async ([, fault, told], { expect }) => {
    await using w = await aWorld()
    w.docs.planAll({ ending: "pull_request", afterMs: 0 })
    w.docs.fail({ ...fault, when: "after", kind: "create", times: 1 })
    const first = await w.start("all")
    await w.ask("created while it stops")
    await w.docsUntil(({ creations }) => creations.length === 1)

    await terminate(first)
    await w.start("worker")

    await w.closing(told)
    expect(w.docs.creations).toHaveLength(1)
  })

  test("while the service never answers a poll: the next process polls at once", async ({
    expect,
  }) => {
    await using w = await aWorld()
    w.docs.planAll({ ending: "never", afterMs: 0 })
    const first = await w.start("all")
    await w.ask("poll me later")
    await w.botSays(/Working on it/)
    const hanging = w.docs.fail({ type: "hang", kind: "get" })
    const before = hanging.hits
    await expect.poll(() => hanging.hits).toBeGreaterThan(before)

    expect(await terminate(first)).toBeLessThan(3000)
    hanging.clear()
    w.docs.finish(w.docs.creations[0]?.jobId ?? "", "pull_request")
    await w.start("worker")

    await w.closing(/request is ready/)
  })

  test.for([
    ["posted, but no answer came", { kind: "timeout", when: "after" }],
    ["not posted, and no answer came", { kind: "timeout", when: "before" }],
    ["posted slowly", { kind: "slow", ms: 3000 }],
  ] as const)("while the closing reply is %s: it is there once", async ([, fault], { expect }) => {
    await using w = await aWorld()
    w.docs.planAll({ ending: "pull_request", afterMs: 0 })
    const isClosing = (args: Record<string, unknown>) => args.thread_ts !== undefined
    const struck = w.slack.fail({
      ...fault,
      method: "chat.postMessage",
      times: 1,
      matching: isClosing,
    })
    const first = await w.start("all")
    await w.ask("close me later")
    await expect.poll(() => struck.hits).toBe(1)

    await terminate(first)
    await w.start("worker")

    await w.closing(/request is ready/)
    await w.botSays(/request is ready/)
    expect(w.closings()).toHaveLength(1)
  })

  test("with a client that never ends its request", async () => {
    await using w = await aWorld()
    const web = await w.start("web")
    const socket = connect(web.port, "127.0.0.1")
    socket.on("error", () => {})
    await once(socket, "connect")
    socket.write("POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nfive")
    await terminate(web)
    socket.destroy()
  })
})

test("a second signal ends it at once", async () => {
  await using w = await aWorld()
  w.docs.fail({ type: "hang", kind: "create" })
  const bot = await w.start("all")
  await w.ask("in the way")
  await w.docsUntil(({ requests }) => requests.some(({ kind }) => kind === "create"))
  const ended = bot.kill("SIGTERM")
  await bot.says(/"msg":"stopping"/)
  const began = performance.now()
  void bot.kill("SIGTERM")
  expect(await ended).toBe(1)
  expect(performance.now() - began).toBeLessThan(1000)
})
