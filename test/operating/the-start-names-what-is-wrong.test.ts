import { Redis } from "ioredis"
import { expect, test } from "vitest"
import { readConfig, secretsOf } from "../../src/config/config.ts"
import { createLog } from "../../src/lib/log.ts"
import { createSecretFilter } from "../../src/lib/secrets.ts"
import { warnAtStart } from "../../src/operating/doctor/warn-at-start.ts"
import { askUntil } from "../helpers/asked.ts"
import { metricsOf, readyz } from "../helpers/of-itself.ts"
import { type Facts, startScriptedRedis } from "../helpers/scripted-redis.ts"
import { useTestBed } from "../helpers/test-bed.ts"

const { testBed } = useTestBed({ env: { LOG_LEVEL: "warn" } })

/** Starts a bot, and then looks for what is wrong as the command line does. */
async function started(more: Record<string, string> = {}, facts: Facts = {}) {
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const h = await testBed({ log })
  await using server = await startScriptedRedis(facts)
  const requestRedis = new Redis(server.url).on("error", () => {})
  const config = readConfig({ ...h.env, ...more })
  const all = secretsOf(config)
  const own = { config, secrets: createSecretFilter(all), log: createLog("warn", all, log) }
  await warnAtStart({ ...h.services, ...own, requestRedis })
  requestRedis.disconnect()
  return { h, lines }
}

test("OPS-4, OPS-5: a bot that is well reads its key, and logs nothing at `warn` from its start to a result", async () => {
  const { h, lines } = await started()
  expect(await metricsOf(h.bot)).toContain(
    'service_calls_total{operation="get_job",outcome="not_found"} 1\n',
  )
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await askUntil(h, "write the guide", /request is ready/)
  expect(h.docs.requests.some(({ path }) => path.includes("key-check"))).toBe(true)
  expect(lines).toEqual([])
})

const NOPERM = "NOPERM this user has no permissions to run the 'evalsha' command"
const says = (next: string) => ({ level: "warn", next: expect.stringContaining(next) })

test.each<[string, Record<string, string>, Facts, object]>([
  [
    "a key that is refused",
    { DOCS_API_KEY: "svc_of_last_quarter" },
    {},
    says("set it in DOCS_API_KEY"),
  ],
  [
    "an admin whom Slack doesn't know",
    { ADMIN_USERS: "U0NOBODY01" },
    {},
    says("Correct the member ID"),
  ],
  ["a Redis that drops keys", {}, { evictionPolicy: "allkeys-lru" }, says("noeviction")],
  ["a Redis that drops some keys", {}, { evictionPolicy: "volatile-ttl" }, says("noeviction")],
  ["a Redis that saves nothing", {}, { appendOnly: 0 }, says("appendonly yes")],
  ["a Redis with another time", {}, { aheadMs: 90_000 }, says("time synchronization")],
  ["an unforeseen failure", {}, { error: NOPERM }, { level: "error", error: { message: NOPERM } }],
])("OPS-5: %s is in the log, with the way out, and the bot runs", async (_, env, facts, logged) => {
  const { h, lines } = await started(env, facts)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([logged])
  expect(lines[0]).not.toContain("svc_of_last_quarter")
  expect((await readyz(h.bot)).status).toBe(200)
})
