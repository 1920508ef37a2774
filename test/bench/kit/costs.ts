import type { RedisServer } from "../../helpers/redis-server.ts"
import { processFacts } from "./process-facts.ts"
import type { Program } from "./program.ts"

/** What work takes, as counts and times since the start, or of a span of time. */
export interface Costs {
  /** Wall-clock time, ms. */
  ms: number
  /** CPU time of each process, ms. */
  webCpu: number
  workerCpu: number
  redisCpu: number
  /** Commands that Redis ran, those inside of scripts included. */
  commands: number
  /** Times Redis read from a connection. */
  reads: number
  slackCalls: number
  serviceCalls: number
  /** Opened to the service. */
  connections: number
}

export interface Parties {
  redis: RedisServer
  web: Program
  worker: Program
  slack: { readonly calls: readonly unknown[] }
  docs: { readonly requests: readonly unknown[]; readonly connections: number }
}

async function costsSoFar({ redis, web, worker, slack, docs }: Parties): Promise<Costs> {
  const stats = await redis.client.info("stats")
  const stat = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(stats)?.[1])
  return {
    ms: performance.now(),
    webCpu: processFacts(web.pid).cpuMs,
    workerCpu: processFacts(worker.pid).cpuMs,
    redisCpu: processFacts(redis.pid).cpuMs,
    commands: stat("total_commands_processed"),
    reads: stat("total_reads_processed"),
    slackCalls: slack.calls.length,
    serviceCalls: docs.requests.length,
    connections: docs.connections,
  }
}

/** What some work took. */
export async function costsOf(parties: Parties, work: () => Promise<void>): Promise<Costs> {
  const before = await costsSoFar(parties)
  await work()
  const after = await costsSoFar(parties)
  return each(after, (key) => after[key] - before[key])
}

/** What came on top of the same time without any work, for each of `count`; `ms` stays the whole time. */
export function beyondIdle(costs: Costs, idle: Costs, count: number): Costs {
  const share = costs.ms / idle.ms
  const extra = each(costs, (key) => Math.max(0, costs[key] - idle[key] * share) / count)
  return { ...extra, ms: costs.ms }
}

/** The same work in one second. */
export function inASecond(costs: Costs): Costs {
  return each(costs, (key) => (costs[key] * 1000) / costs.ms)
}

function each(like: Costs, figure: (key: keyof Costs) => number): Costs {
  const keys = Object.keys(like) as (keyof Costs)[]
  return Object.fromEntries(keys.map((key) => [key, figure(key)])) as Record<keyof Costs, number>
}
