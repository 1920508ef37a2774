import { afterEach, beforeEach, expect, test } from "vitest"
import { jobKeys } from "../../src/jobs/keys.ts"
import { type BotProcess, startBot } from "../helpers/process.ts"
import { botSays } from "../helpers/reading.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import { eventsUrl, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"

const SET = "agents.sessions.setStatus"
const PATIENCE = { timeoutMs: 90_000 }

let redis: RedisServer
let parties: Awaited<ReturnType<typeof startOtherParties>>
let bots: BotProcess[]

beforeEach(async () => {
  redis = await startRedisServer()
  parties = await startOtherParties({ slack: { agent: "declared" } })
  bots = []
})
afterEach(async () => {
  for (const bot of bots) await bot[Symbol.asyncDispose]()
  for (const party of [parties.slack, parties.docs, parties.github]) await party.close()
  await redis[Symbol.asyncDispose]()
})

async function start(): Promise<BotProcess> {
  const own = { PORT: "0", START_DELAY_SECONDS: "0", POLL_MIN_MS: "100", POLL_MAX_MS: "200" }
  const bot = await startBot("all", { ...parties.env, ...own, REDIS_URL: redis.url })
  bots.push(bot)
  parties.slack.setEventsUrl(eventsUrl(bot.port))
  return bot
}

const states = ({ slack }: Pick<TestBed, "slack">, ts: string) =>
  slack.agents.session(DOCS, ts)?.history.map(({ status }) => status) ?? []

/** What a killed process had leased is free after 30 s: here they are over at once. */
async function endLeases() {
  const threads = await redis.client.zrange(jobKeys.schedule("sessions"), "0", "-1")
  expect(threads).toHaveLength(1)
  for (const thread of threads)
    await redis.client.zadd(jobKeys.schedule("sessions"), "XX", 0, thread)
}

/** Resolves when Slack is being asked to set a status. */
function asked({ slack }: Pick<TestBed, "slack">, hold: { hits: number }) {
  return expect
    .poll(() => hold.hits, PATIENCE_OF_POLL)
    .toBeGreaterThan(0)
    .then(() => slack)
}
const PATIENCE_OF_POLL = { timeout: 30_000 }

test.each([
  ["before Slack heard of the end", "before"],
  ["before the answer came", "after"],
] as const)("killed %s: the session of an ended job comes to rest", async (_moment, when) => {
  const { slack, docs } = parties
  const bot = await start()
  docs.planAll({ ending: "never", afterMs: 0 })
  await slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  const card = await botSays(parties, /Working on it/)
  await slack.until(() => states(parties, card.ts).at(-1) === "processing", PATIENCE)

  const hanging = slack.fail({ kind: "timeout", when, method: SET })
  docs.finish(docs.creations[0]?.jobId ?? "", "failed")
  await botSays(parties, /couldn't finish/, { thread: card.ts })
  await asked(parties, hanging)
  await bot.kill("SIGKILL")
  hanging.cancel()
  await endLeases()
  await start()

  // With "after", Slack had set it when the process died: it is set once more, which does no harm.
  const least = when === "after" ? 3 : 2
  await slack.until(() => states(parties, card.ts).length >= least, PATIENCE)
  expect(states(parties, card.ts).at(-1)).toBe("active")
  const posts = slack.calls.filter(({ method }) => method === "chat.postMessage")
  expect(posts).toHaveLength(2)
})
