import { WINDOW_MS } from "../../src/config/timing.ts"
import { estimateStarts } from "../../src/jobs/estimate.ts"
import { overviewOf, type Room, STATUS_ROOM } from "../../src/jobs/overview.ts"
import { refreshPass } from "../../src/jobs/refresh.ts"
import { createJobStore } from "../../src/redis/jobs/store.ts"
import { SAME_NAMES } from "../../src/redis/projects/names.ts"
import { createQueueStore } from "../../src/redis/queue/store.ts"
import { homeView } from "../../src/views/home.ts"
import { statusMessage } from "../../src/views/overview.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { DOCS, TEAM } from "../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../sandbox/test-bed.ts"
import type { Bench, Row } from "./kit/bench.ts"
import { people, promptOf } from "./kit/commands.ts"
import { processFacts } from "./kit/process-facts.ts"
import { alone, median } from "./kit/rounds.ts"

const WAITING = 1000
const EACH = 5
const TIMES = 100
const HOME_ROOM: Room = { open: 10, all: 20 }
const LIMITS = { jobsPerHour: 99, reservedSlots: 10, windowMs: WINDOW_MS }
const MOST = { atMost: 5 }

export const status: Bench = {
  title: "1,000 requests wait in a project: what it takes to say where they stand",
  needsRedis: true,

  async run({ rounds, share }) {
    await using redis = await startRedisServer()
    const line = await filled(redis)
    const times = Math.max(10, Math.round(TIMES * share))
    const rows: Row[] = []
    for (const [key, what, work] of line) {
      const taken: Taken[] = []
      // One round unmeasured before, as in any process that has run for a while.
      for (let round = 0; round <= rounds; round += 1)
        taken.push(await measured(redis, times, work))
      const middle = (of: keyof Taken) => median(taken.slice(1).map((one) => one[of]))
      rows.push(alone(key, `${what}: CPU`, "ms", middle("cpu"), MOST))
      if (middle("redis") > 0)
        rows.push(alone(`${key}Redis`, `${what}: CPU of Redis`, "ms", middle("redis")))
    }
    return {
      rows,
      notes: [
        `${WAITING / EACH} people have ${EACH} requests each; medians of ${rounds} rounds of ${times}.`,
        "Each answer is read from Redis and worked out again, down to the blocks for Slack.",
      ],
    }
  },
}

interface Taken {
  /** Of this process, and of Redis; ms for each time. */
  cpu: number
  redis: number
}

async function measured(
  { pid }: RedisServer,
  times: number,
  work: () => Promise<unknown>,
): Promise<Taken> {
  const [before, redisBefore] = [process.cpuUsage(), processFacts(pid).cpuMs]
  for (let n = 0; n < times; n += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return {
    cpu: (user + system) / 1000 / times,
    redis: (processFacts(pid).cpuMs - redisBefore) / times,
  }
}

type Work = readonly [key: string, what: string, work: () => Promise<unknown>]

/** What there is to do once a thousand requests wait. */
async function filled({ client }: RedisServer): Promise<Work[]> {
  const { project } = SECRETS
  const who = people(WAITING / EACH)
  const jobs = createJobStore(client, { maxQueuedPerUser: EACH })
  const queue = createQueueStore(client, { windowMs: WINDOW_MS, names: SAME_NAMES })
  for (let n = 0; n < WAITING; n += 1) {
    const user = who[n % who.length] ?? ""
    const prompt = { words: promptOf(n) }
    const request = { project, team: TEAM, channel: DOCS, user, prompt, idempotencyKey: `${n}` }
    await jobs.enqueue(request)
  }
  const facts = await queue.facts(project)
  if (facts.waiting.length !== WAITING) throw new Error(`${facts.waiting.length} wait`)
  const [user = ""] = who
  const of = { jobs, queue, limits: LIMITS, projects: [{ name: project }], gitHubHost: "" }
  const overview = (room: Room) => overviewOf({ ...of, permalink: () => undefined }, user, room)
  return [
    ["estimate", "when each of them starts", async () => estimateStarts(facts, LIMITS)],
    ["status", "`status`", async () => statusMessage(await overview(STATUS_ROOM))],
    ["home", "the Home tab", async () => homeView(await overview(HOME_ROOM), { isAdmin: true })],
    ["refresh", "whose card is out of date", () => look(queue)],
  ]
}

/** As the worker does every few seconds while somebody waits. */
async function look(queue: ReturnType<typeof createQueueStore>): Promise<void> {
  await refreshPass({ ...queue, once: async () => true }, LIMITS)
}
