import { Redis } from "ioredis"
import { expect, test } from "vitest"
import { runBot } from "../../helpers/process.ts"
import { startTestRedis } from "../../helpers/redis.ts"
import { CLEO } from "../../sandbox/slack/index.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

test("the exit code says whether all is well: eviction is a fault, AOF off a warning", async () => {
  await using redis = await startTestRedis()
  await using parties = await startOtherParties()
  const env = { ...parties.env, REDIS_URL: redis.url, ADMIN_USERS: CLEO, PORT: "0" }
  const store = new Redis(redis.url)
  await store.config("SET", "maxmemory-policy", "allkeys-lru")

  const unsafe = await runBot(["doctor"], env)
  expect(unsafe.output).toMatch(/warning +redis persistence +Redis's append-only file is off/)
  expect(unsafe.output).toMatch(
    /fault +redis persistence +Redis may drop queued requests .*allkeys-lru/,
  )
  expect(unsafe.output).not.toContain("once Redis is running")
  expect(unsafe.code).toBe(1)

  await store.config("SET", "appendonly", "yes", "maxmemory-policy", "noeviction")
  store.disconnect()
  const safe = await runBot(["doctor", "--json"], env)
  expect(safe.code).toBe(0)
  expect(JSON.parse(safe.output)).toMatchObject({
    well: true,
    findings: expect.arrayContaining([
      expect.objectContaining({ check: "redis persistence", level: "ok" }),
      expect.objectContaining({ check: "service", level: "ok" }),
    ]),
  })
})
