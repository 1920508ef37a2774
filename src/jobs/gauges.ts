import { WINDOW_MS } from "../config/timing.ts"
import { currentTime } from "../store/clock.ts"
import type { Store } from "../store/script.ts"
import type { JobStore } from "./job-store.ts"
import { jobKeys, queueKeys } from "./keys.ts"
import type { HealthStore } from "./pause.ts"
import { readPause } from "./queue-facts.ts"

/** The bot's work at one moment, over all processes. */
export interface StoreGauges {
  queues: readonly QueueGauges[]
  /** How late the most overdue poll is, ms. */
  pollLagMs: number
}

interface QueueGauges {
  queue: string
  waiting: number
  /** Age of the oldest waiting job, ms; 0 when none waits. */
  oldestMs: number
  /** Creations, or messages, of the rolling hour. */
  used: number
  /** The reason why nothing starts; "" when nothing holds it up. */
  paused: string
}

/** Waiting jobs that are looked through for the oldest. */
const LOOKED_AT = 100

export async function readGauges(
  { store, jobs, health }: { store: Store; jobs: JobStore; health: HealthStore },
  queues: readonly string[],
): Promise<StoreGauges> {
  const { redis } = store
  const [now, [, due]] = await Promise.all([
    currentTime(store),
    redis.zrange(jobKeys.schedule("polls"), "0", "0", "WITHSCORES"),
  ])
  const rows = queues.map(async (queue): Promise<QueueGauges> => {
    const { wait, log } = queueKeys(queue)
    const [waiting, first, used, pause] = await Promise.all([
      redis.zcard(wait),
      redis.zrange(wait, "0", String(LOOKED_AT - 1)),
      redis.zcount(log, `(${now - WINDOW_MS}`, "+inf"),
      readPause(health, queue),
    ])
    const found = await jobs.findAll(first)
    const oldest = Math.min(now, ...found.map(({ job }) => job.at))
    const isPaused = pause && (pause.until === undefined || pause.until > now)
    return { queue, waiting, oldestMs: now - oldest, used, paused: isPaused ? pause.reason : "" }
  })
  return {
    pollLagMs: due === undefined ? 0 : Math.max(0, now - Number(due)),
    queues: await Promise.all(rows),
  }
}
