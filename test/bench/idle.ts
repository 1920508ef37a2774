import { setTimeout as delay } from "node:timers/promises"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { SECRETS, startOtherParties } from "../sandbox/test-bed.ts"
import type { Bench, Goal, Row } from "./kit/bench.ts"
import { processFacts } from "./kit/process-facts.ts"
import { answersSlack, BOT, launch, type Program, saysReady } from "./kit/program.ts"
import { alone } from "./kit/rounds.ts"

const SETUPS = [
  { projects: 1, workers: 1 },
  { projects: 100, workers: 1 },
  { projects: 1, workers: 4 },
  { projects: 100, workers: 4 },
] as const
/** What a start leaves behind is over by then, ms. */
const SETTLING_MS = 15_000
const QUIET_MS = 60_000

/** One web and one worker together; each further worker may look for itself. */
const MOST_ROUND_TRIPS = 2
const MOST_OF_A_WORKER = 1

export const idle: Bench = {
  title: "a night in which nobody asks for anything",
  needsRedis: true,

  async run({ share }) {
    const rows: Row[] = []
    for (const setup of SETUPS) rows.push(...(await measure(setup, share)))
    return {
      rows,
      notes: [
        `${(QUIET_MS * share) / 1000} s of silence, from ${SETTLING_MS / 1000} s after the start. Commands are counted by Redis, those inside scripts included.`,
        "CPU is that of web and all workers together, per minute.",
      ],
    }
  },
}

type Setup = (typeof SETUPS)[number]

async function measure(setup: Setup, share: number): Promise<Row[]> {
  await using redis = await startRedisServer()
  const names = Array.from({ length: setup.projects }, (_, n) => `site-${n + 1}`)
  const projects = names.map((id) => ({ name: id, id, key: SECRETS.apiKey }))
  const { slack, docs, env } = await startOtherParties({ docs: { projects } })
  const settings = { ...env, REDIS_URL: redis.url, DOCS_PROJECTS: JSON.stringify(projects) }
  const programs: Program[] = []
  try {
    programs.push(await launch([BOT, "web"], settings, answersSlack))
    while (programs.length <= setup.workers)
      programs.push(await launch([BOT, "worker"], settings, saysReady))
    await delay(SETTLING_MS)
    return rowsOf(setup, await silence(redis, programs, QUIET_MS * share))
  } finally {
    for (const program of programs) await program[Symbol.asyncDispose]()
    await slack.close()
    await docs.close()
  }
}

/** What is counted, in one second, and CPU of all programs in ms. */
async function silence(redis: RedisServer, programs: readonly Program[], ms: number) {
  const count = async () => {
    const stats = await redis.client.info("stats")
    const stat = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(stats)?.[1])
    return {
      reads: stat("total_reads_processed"),
      commands: stat("total_commands_processed"),
      cpuMs: programs.reduce((sum, { pid }) => sum + processFacts(pid).cpuMs, 0),
    }
  }
  const before = await count()
  await delay(ms)
  const after = await count()
  const inASecond = (figure: keyof typeof before) => ((after[figure] - before[figure]) * 1000) / ms
  return {
    roundTrips: inASecond("reads"),
    commands: inASecond("commands"),
    cpu: inASecond("cpuMs"),
  }
}

type Silence = Awaited<ReturnType<typeof silence>>

function rowsOf({ projects, workers }: Setup, { roundTrips, commands, cpu }: Silence): Row[] {
  const where = `${projects} ${projects === 1 ? "project" : "projects"}, ${workers} ${workers === 1 ? "worker" : "workers"}`
  const key = (what: string) => `${what}_${projects}_${workers}`
  const goal: Goal = { atMost: MOST_ROUND_TRIPS + (workers - 1) * MOST_OF_A_WORKER }
  return [
    alone(key("roundTrips"), `Redis round trips, ${where}`, "/s", roundTrips, goal),
    alone(key("commands"), `Redis commands, ${where}`, "/s", commands),
    alone(key("cpu"), `CPU a minute, ${where}`, "ms", cpu * 60),
  ]
}
