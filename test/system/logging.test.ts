import { expect, test } from "vitest"
import { runBot, startBot } from "../helpers/process.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import { eventsUrl, startOtherParties } from "../sandbox/test-bed.ts"

const PASSWORD = "canary-redis-password"

test("the password of Redis and the words of people are never printed", async () => {
  await using redis = await startRedisServer([], { password: PASSWORD })
  const { slack, docs, env: base } = await startOtherParties({})
  await using _slack = slack
  await using _docs = docs
  docs.planAll({ ending: "pull_request", afterMs: 20 })
  const env = { ...base, REDIS_URL: redis.url, PORT: "0" }
  await using bot = await startBot("all", { ...env, POLL_MIN_MS: "50" })
  slack.setEventsUrl(eventsUrl(bot.port))

  await slack.as(ADA).slash(DOCS, "/docs-agent", "quiet canary words")
  await bot.says(/"msg":"closing reply posted"/)
  expect(bot.lines.join("\n")).not.toContain("quiet canary words")

  await redis.kill()
  await bot.says(/Redis isn't responding/)
  await redis.restart()
  await bot.says(/Redis is responding again/)
  const refused = await runBot(["doctor"], {
    ...env,
    REDIS_URL: `redis://:wrong-${PASSWORD}@127.0.0.1:${redis.port}`,
  })
  expect(refused.output).toMatch(/fault +redis +Redis rejected the user or password/)
  expect(refused.output).toContain("Correct the user and password in REDIS_URL")
  for (const text of [...bot.lines, refused.output]) expect(text).not.toContain(PASSWORD)
})
