import Bottleneck from "bottleneck"
import { estimateStarts } from "../../src/jobs/estimate.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import type { Bench, Goal, Row } from "./kit/bench.ts"
import { alone, alternate, compare, median, type Pair, type Sample } from "./kit/rounds.ts"
import { inLines, Lanes } from "./kit/waiting.ts"

/** Waiting at the start of every round, over all projects. */
const WAITING = 10_000
const FEW_WAITING = 100
const CREATIONS = 1500
const SCRIPTS = 30_000
/** In flight at once; a project creates one at a time, so ten projects are ten at once. */
const CONCURRENCY = 64
const PROJECTS = [10, 1000, 10_000] as const

export const limiter: Bench = {
  title: "taking a slot, starting a job and writing it down, against a bare script in Redis",
  needsRedis: true,

  async run({ rounds, share }) {
    await using redis = await startRedisServer()
    const creations = Math.round(CREATIONS * share)
    const few = await Lanes.open(redis, 10, 0)
    const full = new Map<number, Lanes>()
    for (const projects of PROJECTS) full.set(projects, await Lanes.open(redis, projects, WAITING))
    const limiters = Array.from({ length: 1000 }, () => new Bottleneck({ maxConcurrent: 1 }))
    const pairs = await alternate(
      { rounds },
      async () => ({
        scripts: await scripts(redis, Math.round(SCRIPTS * share)),
        least: await least(redis, limiters, creations),
      }),
      async () => {
        const sample: Record<string, number> = { few: await costOfFew(redis, few, creations) }
        for (const [projects, lanes] of full) {
          await lanes.refill(WAITING)
          const concurrency = Math.min(projects, CONCURRENCY)
          const { perSecond, cost } = await measured(redis, lanes, creations, concurrency)
          Object.assign(sample, { [`rate${projects}`]: perSecond, [projects]: cost })
        }
        return sample
      },
    )
    for (const lanes of [few, ...full.values()]) await lanes[Symbol.asyncDispose]()
    return { rows: [...rowsOf(pairs), estimate()], notes: notes(creations) }
  },
}

function rowsOf(pairs: readonly Pair[]): Row[] {
  return [
    rate(pairs, "scripts", "creations, against a bare script"),
    rate(pairs, "least", "creations, against the least", { atLeast: 0.4 }),
    flat(pairs, "1000", "10", "CPU per creation, 1,000 projects against 10"),
    flat(pairs, "10000", "10", "CPU per creation, 10,000 projects against 10"),
    flat(pairs, "10", "few", "CPU per creation, 10,000 waiting against 100", 1.4),
  ]
}

/** Every worker works it out whenever the queue moves. The hour is full, with its last slots reserved. */
function estimate(): Row {
  const now = Date.now()
  const of = (n: number) => ({ user: `user${n % 20}` })
  const log = Array.from({ length: 99 }, (_, n) => ({ at: now - (99 - n) * 36_000, ...of(n) }))
  const waiting = Array.from({ length: 1000 }, (_, n) => ({ id: `job${n}`, ...of(n) }))
  const facts = { now, log, waiting, creating: 0, pause: undefined }
  const limits = { jobsPerHour: 99, reservedSlots: 5, windowMs: 3_605_000 }
  const took = Array.from({ length: 100 }, () => {
    const began = performance.now()
    estimateStarts(facts, limits)
    return performance.now() - began
  })
  const what = "expected starts of 1,000 waiting"
  return alone("estimate", what, "ms", median(took), { atMost: 5 })
}

function notes(creations: number): string[] {
  return [
    `${CONCURRENCY} at a time on one connection, 1,000 projects, ${creations} creations a round; the request to the service takes no time here.`,
    "Without the hour's ceiling and the pause between two creations. CPU is that of the process and of Redis together.",
    "A creation is four round trips: a look, the grant, its record, the outcome. The least is four bare scripts, three of them inside a job of a bare Bottleneck.",
  ]
}

/** Bare round trips of the shortest script, per second. */
async function scripts({ client }: RedisServer, count: number): Promise<number> {
  const sha = String(await client.script("LOAD", "return 1"))
  return inLines(count, CONCURRENCY, () => client.evalsha(sha, 0))
}

/** What Bottleneck and the round trips of a creation take when nothing is done in them, per second. */
async function least(
  { client }: RedisServer,
  limiters: readonly Bottleneck[],
  count: number,
): Promise<number> {
  const sha = String(await client.script("LOAD", "return 1"))
  let next = 0
  return inLines(count, CONCURRENCY, async () => {
    const limiter = limiters[next++ % limiters.length]
    await client.evalsha(sha, 0)
    await limiter?.schedule(async () => {
      for (let trip = 0; trip < 3; trip += 1) await client.evalsha(sha, 0)
    })
  })
}

/** @returns creations a second, and what each cost the process and Redis together, µs of CPU */
async function measured(redis: RedisServer, lanes: Lanes, count: number, concurrency: number) {
  const [own, theirs] = [process.cpuUsage(), await redisCpu(redis)]
  const perSecond = await lanes.start(count, concurrency)
  const { user, system } = process.cpuUsage(own)
  return { perSecond, cost: (user + system + (await redisCpu(redis)) - theirs) / count }
}

/** With never more waiting than are about to start. */
async function costOfFew(redis: RedisServer, lanes: Lanes, creations: number): Promise<number> {
  let cost = 0
  for (let left = creations; left > 0; left -= FEW_WAITING) {
    await lanes.refill(FEW_WAITING)
    cost += FEW_WAITING * (await measured(redis, lanes, FEW_WAITING, 10)).cost
  }
  return cost / creations
}

/** µs so far. */
async function redisCpu({ client }: RedisServer): Promise<number> {
  const info = await client.info("cpu")
  const seconds = [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].map(([, s]) => Number(s))
  return seconds.reduce((sum, part) => sum + part, 0) * 1_000_000
}

function rate(pairs: readonly Pair[], key: string, what: string, goal?: Goal): Row {
  const rates = pairs.map(({ reference, ours }) => ({
    reference: { [key]: reference[key] ?? Number.NaN },
    ours: { [key]: ours.rate1000 ?? Number.NaN },
  }))
  return compare(rates, key, what, "/s", goal)
}

/** The cost under one circumstance over that under another, of the same round. */
function flat(pairs: readonly Pair[], many: string, few: string, what: string, most = 1.25): Row {
  const of = (sample: Sample, key: string) => ({ cost: sample[key] ?? Number.NaN })
  const costs = pairs.map(({ ours }) => ({ reference: of(ours, few), ours: of(ours, many) }))
  return { ...compare(costs, "cost", what, "µs", { atMost: most }), key: `${many}-${few}` }
}
