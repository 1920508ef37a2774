import { afterAll, beforeAll, expect, test } from "vitest"
import { earlierVersion, reachesBack } from "../helpers/earlier-version.ts"
import { type BotProcess, startBot } from "../helpers/process.ts"
import { botMessages } from "../helpers/reading.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { stringIn } from "../sandbox/slack/json.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS, SHARED } from "../sandbox/slack/seed/ids.ts"
import { eventsUrl, startOtherParties } from "../sandbox/test-bed.ts"

/** The last commit whose records in Redis the bot promises to share. */
const BEFORE = "4a31b857cb3c8449717257f750cc5e9183111c33"
const PLACES = [
  { person: ADA, channel: EDITORS },
  { person: BEN, channel: SHARED },
  { person: CLEO, channel: DOCS },
] as const
const ROUNDS = 2

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis[Symbol.asyncDispose]())

// Without the history there is no version before to start.
const restart = test.skipIf(!reachesBack(BEFORE))

restart(
  "a rolling restart from the version before, under load: nothing lost, nothing twice",
  async () => {
    const { slack, docs, env: base } = await startOtherParties({})
    docs.planAll({ ending: "pull_request", afterMs: 1500 })
    const env = {
      ...base,
      REDIS_URL: redis.url,
      PORT: "0",
      POLL_MIN_MS: "200",
      POLL_MAX_MS: "500",
      LOG_LEVEL: "info",
    }
    const running = new Set<BotProcess>()
    const start = async (type: "web" | "worker", main?: string) => {
      const bot = await startBot(type, env, main)
      running.add(bot)
      if (type === "web") slack.setEventsUrl(eventsUrl(bot.port))
      return bot
    }
    const end = async (bot: BotProcess) => {
      expect(await bot.kill("SIGTERM")).toBe(0)
      running.delete(bot)
    }
    const asked: string[] = []
    const ask = async (phase: string) => {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const { person, channel } of PLACES) {
          const words = `${phase} request ${round} of ${person}`
          asked.push(words)
          await slack.as(person).slash(channel, "/docs-agent", words)
        }
    }
    try {
      const before = earlierVersion(BEFORE)
      const oldWeb = await start("web", before)
      const oldWorker = await start("worker", before)
      await ask("old alone:")
      await start("worker")
      await ask("old web, both workers:")
      await start("web")
      await ask("new web, both workers:")
      await Promise.all([end(oldWeb), end(oldWorker)])
      await ask("new alone:")
      // And back: a release that is taken back meets what the new version wrote.
      const again = await start("worker", before)
      await ask("new web, both workers again:")
      await end(again)

      const posts = () => PLACES.flatMap(({ channel }) => botMessages(slack, channel))
      const parts = (kind: RegExp) =>
        posts()
          .map(({ metadata }) => payloadOf(metadata))
          .filter(({ part }) => kind.test(part))
          .map(({ job }) => job)
      await slack.until(() => parts(/^closing/).length >= asked.length, { timeoutMs: 120_000 })
      expect(docs.creations.map(({ prompt }) => prompt).sort()).toEqual([...asked].sort())
      expect(parts(/^card$/).sort()).toEqual(parts(/^closing 1$/).sort())
      expect(new Set(parts(/^card$/)).size).toBe(asked.length)
      const errors = [...running].flatMap(({ lines }) =>
        lines.filter((line) => line.includes('"level":"error"')),
      )
      expect(errors).toEqual([])
    } finally {
      for (const bot of running) await bot[Symbol.asyncDispose]()
      await slack.close()
      await docs.close()
    }
  },
)

function payloadOf(metadata: Parameters<typeof Object.entries>[0] | undefined) {
  const payload = Object(Object(metadata).event_payload)
  return { job: stringIn(payload, "job") ?? "", part: stringIn(payload, "part") ?? "" }
}
