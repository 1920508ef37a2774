import { expect, test } from "vitest"
import { secret } from "../../../src/lib/secrets.ts"
import { runDoctor } from "../../../src/operating/doctor/run-doctor.ts"
import { metricsOf, readyz } from "../../helpers/of-itself.ts"
import { botSays, closingReply, direct, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { startRedisServer } from "../../helpers/redis-server.ts"
import { FAST_ENV, FAST_TIMING } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"
import { startTestBed } from "../../sandbox/test-bed.ts"

test("requests are turned away before Redis refuses every write, and those that are in go on", async () => {
  const lines: string[] = []
  await using server = await startRedisServer()
  await using h = await startTestBed({
    address: { kind: "server", url: secret(server.url) },
    timing: FAST_TIMING,
    env: { ...FAST_ENV, LOG_LEVEL: "warn", ADMIN_USERS: CLEO },
    log: { write: (line) => void lines.push(line) },
  })
  const redis = server.client
  h.docs.planAll({ ending: "never", afterMs: 0 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "was in before")
  await docsUntil(h, ({ creations }) => creations.length === 1)
  // So large that the bot's own data makes no difference.
  await redis.setrange("ballast", 100_000_000, "x")
  const used = Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1])
  const fillTo = (share: number) =>
    redis.config("SET", "maxmemory", String(Math.round(used / share)))
  await fillTo(0.95)
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "one more of these")
  await toldPrivately(h, BEN, /I can't take new requests right now/)
  expect(lines.join("\n")).toMatch(/Redis has used 90% of its memory/)
  const notices = async (shares: readonly number[]) => {
    for (const share of shares) {
      await fillTo(share)
      await readyz(h.bot)
      await h.bot.worker?.passes.notices?.()
    }
    const found = direct(h, CLEO).filter(({ text }) => /Redis is almost full/.test(text))
    return found.map(({ text }) => text)
  }
  const notice = expect.stringMatching(/Raise maxmemory/)
  expect(await notices([0.95, 0.88, 0.95])).toEqual([notice])
  expect(await notices([0.8, 0.95])).toEqual([notice, notice])
  expect((await readyz(h.bot)).text).toMatch(/Redis has used 90% of its memory.*Raise maxmemory/)
  expect(await metricsOf(h.bot)).toContain('docs_agent_requests_total{outcome="no_room"} 1')
  const { output, well } = await runDoctor({ ...h.env, REDIS_URL: server.url }, { json: false })
  expect(output).toMatch(/fault +redis memory +Redis is almost full.*\n +→ Raise maxmemory/)
  expect(output).toMatch(/ok +service/)
  expect(well).toBe(false)
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
  await closingReply(h)

  await redis.config("SET", "maxmemory", "0")
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "one more of these")
  await botSays(h, /one more/)
})

test.each([
  ["is full", "CONFIG SET maxmemory 1", /out of memory/, "CONFIG SET maxmemory 0"],
  ["became a replica", "REPLICAOF 127.0.0.1 1", /read-only/, "REPLICAOF NO ONE"],
])(
  "a Redis that %s shows in the metrics, and a worker says once why nothing happens, and when it is back",
  async (_, command, why, undone) => {
    const lines: string[] = []
    await using server = await startRedisServer()
    await using h = await startTestBed({
      address: { kind: "server", url: secret(server.url) },
      timing: FAST_TIMING,
      env: { ...FAST_ENV, LOG_LEVEL: "info" },
      log: { write: (line) => void lines.push(line) },
    })
    expect(await metricsOf(h.bot)).toContain("docs_agent_redis_up 1")
    const call = ([name = "", ...args]: string[]) => server.client.call(name, ...args)
    await call(command.split(" "))
    await expect.poll(() => metricsOf(h.bot)).toContain("docs_agent_redis_up 0")
    const said = () => lines.filter((line) => line.includes('"store":"worker"'))
    await expect.poll(said, { timeout: 10_000 }).toEqual([expect.stringMatching(why)])
    // It connects again for each try of a write, which is no news.
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await server.client.info("stats"))?.[1])
    const before = await connections()
    await expect.poll(connections, { timeout: 10_000 }).toBeGreaterThan(before + 5)
    expect(said()).toHaveLength(1)
    await call(undone.split(" "))
    await expect.poll(() => said().at(-1), { timeout: 10_000 }).toMatch(/Redis is back/)
    expect(said()).toHaveLength(2)
  },
)

test("a Redis user who may not run INFO is named by the doctor, and notices are still told", async () => {
  const lines: string[] = []
  await using server = await startRedisServer()
  const url = server.url.replace("//", "//bot:pw@")
  await server.client.call(
    "ACL",
    "SETUSER",
    "bot",
    "on",
    ">pw",
    "~*",
    "&*",
    "+@all",
    "-info",
    "-config",
  )
  await using h = await startTestBed({
    address: { kind: "server", url: secret(url) },
    timing: FAST_TIMING,
    env: { ...FAST_ENV, LOG_LEVEL: "warn", ADMIN_USERS: CLEO },
    log: { write: (line) => void lines.push(line) },
  })
  await h.bot.worker?.passes.notices?.()
  h.docs.fail({ type: "expired_key", kind: "create" })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await h.slack.until(() => direct(h, CLEO)[0])
  expect((await readyz(h.bot)).notices).not.toEqual([])
  expect(lines.filter((line) => /background work failed/.test(line))).toEqual([])
  const { output } = await runDoctor({ ...h.env, REDIS_URL: url }, { json: false })
  expect(output).toMatch(/warning +redis persistence.*\n +→ Allow the Redis user .* INFO/)
})
