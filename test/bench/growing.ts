import { setTimeout as delay } from "node:timers/promises"
import { KEPT, type Timing } from "../../src/config/timing.ts"
import { botMessages } from "../helpers/reading.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { type CompiledBot, compileBot } from "../kit/compiled-bot.ts"
import type { JobPlan } from "../sandbox/docs-service/agent-job.ts"
import { DOCS } from "../sandbox/slack/seed/ids.ts"
import { SECRETS, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import type { Bench, Row } from "./kit/bench.ts"
import { people, promptOf, rememberProfiles, signed } from "./kit/commands.ts"
import { beyondIdle, type Costs, costsOf, inASecond, type Parties } from "./kit/costs.ts"
import { growth, type Measured } from "./kit/growth.ts"
import { callRows, cpuOfCalls } from "./kit/job-calls.ts"
import {
  AUDIT_HOURS,
  aloneByteHours,
  auditBytes,
  byteHours,
  KEPT_HOURS,
  keptBytes,
} from "./kit/lifetimes.ts"
import { LoadGenerator } from "./kit/load.ts"
import { answersSlack, launch, type Program, saysReady } from "./kit/program.ts"
import { prose } from "./kit/prose.ts"
import { alone } from "./kit/rounds.ts"
import { stepRows, stepsOf } from "./kit/steps.ts"

const PROJECTS = Array.from({ length: 12 }, (_, n) => `site-${n + 1}`)
const JOBS_EACH = 90
/** The agent is as many times faster than life, and so are our polls: a job gets its usual number. */
const FASTER = 100
/** Jobs that run alone, each for a minute. */
const MOST_MINUTES = 3
/** What jobs take, minutes. */
const LENGTHS = [1.5, 2.5, 4, 6, 12]
const QUIET_MS = 5000
/** From the first pack until a pass that began it is over, ms. */
const PACKED_MS = 5000
/** What a start leaves behind is over by then, ms. */
const SETTLING_MS = 15_000

/** A worker looks once in four seconds in any case: few of those would weigh too much, or not at all. */
const QUIET_BEFORE_ALONE_MS = 20_000

/** As in production but for Slack's limits on writing, which would make this last for hours. */
const circumstances = (packing: Partial<Timing>) => ({
  coldMs: 0,
  timing: {
    leaseMs: 30_000,
    slackTimeoutMs: 10_000,
    rates: { channelPost: [5, 50], workspacePost: [5, 50], edit: [5, 50], session: [5, 50] },
    pauses: { firstMs: 5000, outageFirstMs: 5000, longestMs: 60_000 },
    ...packing,
  },
})
/** What has ended is packed while one waits for it, but not so often that it would weigh on the jobs. */
const packing = (few: number): Partial<Timing> => {
  const rests = { restMs: 0, afterMs: 0, everyMs: 15_000, few }
  return { audit: rests, kept: { ...rests, few: Math.min(few, KEPT.few) } }
}

export const growing: Bench = {
  title: "one job from the command to the closing reply, and what many projects take",
  needsRedis: true,

  async run({ share, rounds }) {
    const each = Math.max(24, Math.round(JOBS_EACH * share))
    const measured = await measure(each, Math.min(rounds, MOST_MINUTES))
    return {
      rows: [
        ...stepRows(measured.alone),
        ...rowsOf(measured),
        ...[1, 100, 10_000].flatMap((n) => growth(measured, n)),
      ],
      notes: [
        "A job alone takes a real minute. The first is the first ever, so every script is sent in full once.",
        `All other rows: ${each * PROJECTS.length} jobs in ${PROJECTS.length} projects, agent and polls ${FASTER} times faster than life, prompts of 210 characters of English that don't repeat.`,
        "In the growth rows each project has 100 jobs an hour, so somebody is always waiting.",
        "The reference for the worker's CPU makes as many calls in the same time with bare ioredis, undici.request and Slack's WebClient, and ignores the answers. Back to back the same calls cost less: a process that sleeps between two of them pays for every wake-up.",
        "CPU is in percent of one core. Memory is what it comes to in the end: jobs are kept for 7 days, the audit for 90.",
      ],
    }
  },
}

async function measure(each: number, minutes: number): Promise<Measured> {
  using bot = compileBot()
  const alone = await inWorld(bot, {}, {}, (world) => jobsAlone(world, minutes))
  const many = inWorld(bot, settingsFor(each), packing(0.9 * each * PROJECTS.length), (world) =>
    live(world, each),
  )
  return { ...(await many), alone }
}

async function inWorld<T>(
  { entry }: CompiledBot,
  more: Readonly<Record<string, string>>,
  timing: Partial<Timing>,
  measured: (world: World) => Promise<T>,
): Promise<T> {
  await using redis = await startRedisServer()
  const { slack, docs, env } = await startOtherParties({
    slack: { keep: 100_000 },
    docs: {
      projects: PROJECTS.map((id) => ({ id, key: SECRETS.apiKey })),
      requestLogSize: 100_000,
    },
  })
  try {
    const projects = PROJECTS.map((id) => ({ name: id, id, key: SECRETS.apiKey }))
    const settings = { DOCS_PROJECTS: JSON.stringify(projects), LOG_LEVEL: "info", ...more }
    const all = { ...env, ...settings, REDIS_URL: redis.url }
    const how = JSON.stringify(circumstances(timing))
    await using web = await launch([entry, "web", how], all, answersSlack)
    await using worker = await launch([entry, "worker", how], all, saysReady)
    slack.setEventsUrl(web.url)
    return await measured({ redis, web, worker, slack, docs, env })
  } finally {
    await slack.close()
    await docs.close()
  }
}

function settingsFor(jobsPerHour: number): Record<string, string> {
  return {
    JOBS_PER_HOUR: String(jobsPerHour),
    RESERVED_SLOTS: "0",
    POLL_MIN_MS: String(5000 / FASTER),
    POLL_MAX_MS: String(60_000 / FASTER),
  }
}

type World = Parties & Pick<TestBed, "slack" | "docs"> & { env: Readonly<Record<string, string>> }

/** Nothing to do, then as many jobs as the hours allow, then one more in each project that waits. */
async function live(world: World, each: number): Promise<Omit<Measured, "alone">> {
  const { redis, docs, slack, web } = world
  const count = each * PROJECTS.length
  await rememberProfiles(redis.client, people(count))
  await delay(1000)
  const idle = await costsOf(world, () => delay(QUIET_MS))
  docs.plan(...Array.from({ length: count }, (_, n) => planOf(n)))
  const before = await byteHours(redis.client)
  const jobs = await costsOf(world, async () => {
    await ask(web, "page", prose(count))
    await cards(slack, count, /request ready/)
  })
  const others = ((await byteHours(redis.client)) - before) / count
  const alone =
    (await aloneByteHours(redis.client, "kept")) + (await aloneByteHours(redis.client, "audit"))
  // The last to be packed: nothing is before it has ended.
  await auditBytes(redis.client)
  await ask(
    web,
    "waiting",
    PROJECTS.map((_, n) => promptOf(n)),
  )
  await cards(slack, PROJECTS.length, /Next in line/)
  // A pass of packing would weigh more than all that wait.
  await delay(PACKED_MS)
  const waiting = await costsOf(world, () => delay(QUIET_MS))
  const job = beyondIdle(jobs, idle, count)
  return {
    idle: inASecond(idle),
    job,
    waiting: inASecond(beyondIdle(waiting, idle, PROJECTS.length)),
    byteHours:
      others +
      alone +
      (await keptBytes(redis.client)) * KEPT_HOURS +
      (await auditBytes(redis.client)) * AUDIT_HOURS,
    // At the end: it takes as long as the jobs did, and more is packed meanwhile.
    calls: await cpuOfCalls(job, count, { ...world, redisUrl: redis.url, ...oneOf(docs) }),
  }
}

/** A job that can be asked about. */
function oneOf({ creations }: World["docs"]): { project: string; agentJobId: string } {
  const [first] = creations
  if (!first) throw new Error("Nothing was created")
  return { project: first.projectId, agentJobId: first.jobId }
}

/** Jobs of a real minute that have the bot to themselves; the first is the first ever. */
async function jobsAlone(world: World, count: number): Promise<Costs[][]> {
  const { docs, slack, web, redis } = world
  await rememberProfiles(redis.client, people(count))
  await delay(SETTLING_MS)
  const idle = await costsOf(world, () => delay(QUIET_BEFORE_ALONE_MS))
  const all: Costs[][] = []
  for (let n = 1; n <= count; n += 1) {
    const job = {
      untilItRuns: async () => {
        docs.plan({ ending: "pull_request", afterMs: 60_000 })
        await ask(web, `alone${n}`, [promptOf(n)])
        await cards(slack, n, /Working on it|request ready/)
      },
      untilItsReply: async () => {
        const replies = () => botMessages(slack, DOCS).filter((m) => m.threadTs)
        await slack.until(() => replies().length >= n, { timeoutMs: 180_000 })
      },
    }
    all.push(await stepsOf(world, idle, job))
  }
  return all
}

function planOf(n: number): JobPlan {
  const minutes = LENGTHS[n % LENGTHS.length] ?? 4
  return { ending: "pull_request", afterMs: (minutes * 60_000) / FASTER }
}

/** Everybody asks once, one after the other: the hours are filled in the order of the projects. */
async function ask(web: Program, about: string, prompts: readonly string[]): Promise<void> {
  await using generator = new LoadGenerator()
  const who = people(prompts.length)
  const requests = prompts.map((words, n) => {
    const prompt = `project=${PROJECTS[n % PROJECTS.length]} ${words} (${about})`
    return signed(prompt, who[n] ?? "", `${about}${n}`)
  })
  await generator.run({ url: web.url, connections: 8, requests })
}

/** Waits until so many cards say so, and nothing about them is left to be said. */
async function cards(slack: World["slack"], count: number, says: RegExp): Promise<void> {
  await slack.until(
    () => botMessages(slack, DOCS).filter((m) => !m.threadTs && says.test(m.text)).length >= count,
    { timeoutMs: 120_000 },
  )
}

function rowsOf({ idle, job, waiting, calls }: Measured): Row[] {
  return [
    alone("commands", "Redis commands per job", "", job.commands),
    alone("roundTrips", "Redis round trips per job", "", job.reads),
    alone("redisCpu", "CPU of Redis per job", "ms", job.redisCpu),
    alone("webCpu", "CPU of web per job", "ms", job.webCpu),
    alone("workerCpu", "CPU of worker per job", "ms", job.workerCpu, { atMost: 3 }),
    ...callRows(job.workerCpu, calls),
    alone("slackCalls", "Slack calls per job", "", job.slackCalls),
    alone("serviceCalls", "service calls per job", "", job.serviceCalls),
    alone("idleCommands", "Redis commands without any work", "/s", idle.commands),
    alone("idleCpu", "CPU of web and worker without any work", "%", cpuShare(idle)),
    alone("waitingCommands", "Redis commands per project that waits", "/s", waiting.commands),
  ]
}

/** Of one core. */
function cpuShare({ webCpu, workerCpu }: Costs): number {
  return (webCpu + workerCpu) / 10
}
