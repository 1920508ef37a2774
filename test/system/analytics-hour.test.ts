import { afterAll, beforeAll, expect, test } from "vitest"
import { type BotProcess, startBot } from "../helpers/process.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/seed/ids.ts"
import { eventsUrl, startOtherParties } from "../sandbox/test-bed.ts"

const KEY = "svc_of_the_organization"
const IDS = ["proj-guides", "proj-api"]
const CEILING = 100
const USED_UP = /analytics limit has been reached|your share of this hour/
const ANSWERED = /^Docs visitors|limit has been reached|your share|No visitors/

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer(["--appendfsync", "always"])
})
afterAll(() => redis[Symbol.asyncDispose]())

test("two projects with one key make at most 100 analytics requests in an hour, over restarts", async () => {
  // The service would take more: what is counted is what the bot allows itself.
  const projects = IDS.map((id) => ({ id, key: KEY }))
  const { slack, docs, github, env } = await startOtherParties({
    docs: { projects, analyticsPerWindow: 10_000, requestLogSize: 10_000 },
  })
  const all = {
    ...env,
    REDIS_URL: redis.url,
    PORT: "0",
    DOCS_PROJECT_ID: "",
    DOCS_API_KEY: "",
    DOCS_PROJECTS: JSON.stringify(projects.map((one) => ({ ...one, name: one.id }))),
  }
  const spent = () => docs.requests.filter(({ kind }) => kind === "visitors").length
  const start = async () => {
    const bot = await startBot("all", all)
    slack.setEventsUrl(eventsUrl(bot.port))
    return bot
  }
  let day = 0
  /** Everybody asks about other days in both projects, until so many requests were made or refused. */
  const askUntil = async (isEnough: () => boolean, rounds = 40) => {
    for (const until = day + rounds; day < until && !isEnough(); day += 1)
      for (const [n, user] of [ADA, BEN, CLEO].entries()) {
        const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
        const before = slack.ephemerals(user).length
        const words = `project=${IDS[(day + n) % 2]} ${date}..${date}`
        await slack.as(user).slash(DOCS, "/docs-visitors", words)
        await slack.until(
          (s) =>
            s
              .ephemerals(user)
              .slice(before)
              .some((m) => ANSWERED.test(m.text)),
          {
            timeoutMs: 60_000,
          },
        )
      }
  }
  const isUsedUp = () =>
    [ADA, BEN, CLEO].every((user) => slack.ephemerals(user).some(({ text }) => USED_UP.test(text)))
  let bot: BotProcess = await start()
  try {
    await askUntil(() => spent() > CEILING / 2)
    await bot.kill("SIGKILL")
    bot = await start()
    await askUntil(isUsedUp)
    await bot.kill("SIGKILL")
    bot = await start()
    await askUntil(() => false, 3)
    expect(spent()).toBeLessThanOrEqual(CEILING)
    // The last fifth is kept for people who have not asked yet.
    expect(spent()).toBeGreaterThan(0.7 * CEILING)
    expect(new Set(docs.requests.map(({ projectId }) => projectId))).toEqual(new Set(IDS))
  } finally {
    await bot[Symbol.asyncDispose]()
    await Promise.all([slack.close(), docs.close(), github.close()])
  }
})
