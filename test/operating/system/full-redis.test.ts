import { Redis } from "ioredis"
import { expect, onTestFinished, test } from "vitest"
import { runDoctor } from "../../../src/operating/doctor/run-doctor.ts"
import { metricsOf, readyz } from "../../helpers/of-itself.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed({ env: { LOG_LEVEL: "info", ADMIN_USERS: CLEO } })

/** Starts a bed, with a connection that changes its Redis for one test. */
async function bedWith(undone: string) {
  const h = await testBed()
  const redis = new Redis(h.redisUrl)
  const call = (command: string) => {
    const [name = "", ...args] = command.split(" ")
    return redis.call(name, ...args)
  }
  onTestFinished(async () => {
    await call(undone)
    redis.disconnect()
  })
  return { h, redis, call }
}

const doctor = (h: Bed) => runDoctor({ ...h.env, REDIS_URL: h.redisUrl }, { json: false })

test("requests are turned away before Redis refuses every write, and those that are in go on", async () => {
  const { h, redis, call } = await bedWith("CONFIG SET maxmemory 0")
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "was in before")
  await h.docsUntil(({ creations }) => creations.length === 1)
  // So large that the bot's own data makes no difference.
  await redis.setrange("ballast", 100_000_000, "x")
  const used = Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1])
  const fillTo = (share: number) => call(`CONFIG SET maxmemory ${Math.round(used / share)}`)
  await fillTo(0.95)
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "one more of these")
  await h.toldPrivately(BEN, /I can't take new requests right now/)
  expect(h.lines.join("\n")).toMatch(/Redis has used 90% of its memory/)
  const notices = async (shares: readonly number[]) => {
    for (const share of shares) {
      await fillTo(share)
      await readyz(h.bot)
      await h.bot.worker?.passes.notices?.()
    }
    const found = h.direct(CLEO).filter(({ text }) => /Redis is almost full/.test(text))
    return found.map(({ text }) => text)
  }
  const notice = expect.stringMatching(/Raise maxmemory/)
  expect(await notices([0.95, 0.88, 0.95])).toEqual([notice])
  expect(await notices([0.8, 0.95])).toEqual([notice, notice])
  expect((await readyz(h.bot)).text).toMatch(/Redis has used 90% of its memory.*Raise maxmemory/)
  expect(await metricsOf(h.bot)).toContain('docs_agent_requests_total{outcome="no_room"} 1')
  const { output, well } = await doctor(h)
  expect(output).toMatch(/fault +redis memory +Redis is almost full.*\n +→ Raise maxmemory/)
  expect(output).toMatch(/ok +service/)
  expect(well).toBe(false)
  h.finish("pull_request")
  await h.closingReply()

  await call("CONFIG SET maxmemory 0")
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "one more of these")
  await h.docsUntil(({ creations }) => creations.length === 2)
})

test.each([
  ["is full", "CONFIG SET maxmemory 1", /out of memory/, "CONFIG SET maxmemory 0"],
  ["became a replica", "REPLICAOF 127.0.0.1 1", /read-only/, "REPLICAOF NO ONE"],
])(
  "a Redis that %s shows in the metrics, and a worker says once why nothing happens, and when it is back",
  async (_, command, why, undone) => {
    const { h, redis, call } = await bedWith(undone)
    expect(await metricsOf(h.bot)).toContain("docs_agent_redis_up 1")
    await call(command)
    await expect.poll(() => metricsOf(h.bot)).toContain("docs_agent_redis_up 0")
    const said = () => h.lines.filter((line) => line.includes('"store":"worker"'))
    await expect.poll(said).toEqual([expect.stringMatching(why)])
    // It connects again for each try of a write, which is no news.
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await redis.info("stats"))?.[1])
    const before = await connections()
    await expect.poll(connections).toBeGreaterThan(before + 5)
    expect(said()).toHaveLength(1)
    await call(undone)
    await expect.poll(() => said().at(-1)).toMatch(/Redis is back/)
    expect(said()).toHaveLength(2)
  },
)

test("a Redis user who may not run INFO is named by the doctor, and notices are still told", async () => {
  const { h, call } = await bedWith("ACL SETUSER default +@all")
  await h.restartBot(async () => void (await call("ACL SETUSER default -info -config")))
  await h.bot.worker?.passes.notices?.()
  h.docs.fail({ type: "expired_key", kind: "create" })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await h.slack.until(() => h.direct(CLEO)[0])
  expect((await readyz(h.bot)).notices).not.toEqual([])
  expect(h.lines.filter((line) => /background work failed/.test(line))).toEqual([])
  const { output } = await doctor(h)
  expect(output).toMatch(/warning +redis persistence.*\n +→ Allow the Redis user .* INFO/)
})

test("eviction is a fault and AOF off a warning, and the other checks go on", async () => {
  const { h, call } = await bedWith("CONFIG SET appendonly no maxmemory-policy noeviction")
  await call("CONFIG SET maxmemory-policy allkeys-lru")
  const unsafe = await doctor(h)
  expect(unsafe.output).toMatch(/warning +redis persistence +Redis's append-only file is off/)
  expect(unsafe.output).toMatch(
    /fault +redis persistence +Redis may drop queued requests .*allkeys-lru/,
  )
  expect(unsafe.output).not.toContain("once Redis is running")
  expect(unsafe.well).toBe(false)

  await call("CONFIG SET appendonly yes maxmemory-policy noeviction")
  const safe = await doctor(h)
  expect(safe.output).toMatch(/ok +redis persistence/)
  expect(safe.well).toBe(true)
})
