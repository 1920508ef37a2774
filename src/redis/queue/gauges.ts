import { WINDOW_MS } from "../../config/timing.ts"
import { renamedQueue } from "../../jobs/queues.ts"
import { redisTime } from "../clock.ts"
import { JOB_PREFIX, keys } from "../keys.ts"
import type { ReadProjectNames } from "../projects/names.ts"
import type { RedisClient } from "../script.ts"
import { projectGauges } from "./gauges.lua.ts"

/** What the store knows of the bot's work at one moment, over all processes. */
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
  /** Why nothing starts, one of `PauseReason`; "" when nothing holds it up. */
  paused: string
}

export async function readGauges(
  redis: RedisClient,
  queues: readonly string[],
  read: ReadProjectNames,
): Promise<StoreGauges> {
  const { storedAs } = await read()
  const on = { redis, now: undefined }
  const args = { windowMs: WINDOW_MS, jobPrefix: JOB_PREFIX }
  const [now, [, due], rows] = await Promise.all([
    redisTime(redis),
    redis.zrange(keys.due, "0", "0", "WITHSCORES"),
    Promise.all(
      queues.map((queue) => projectGauges(on, keys.project(renamedQueue(queue, storedAs)), args)),
    ),
  ])
  return {
    pollLagMs: due === undefined ? 0 : Math.max(0, now - Number(due)),
    queues: rows.map(([waiting, oldest, used, paused], i) => ({
      queue: queues[i] ?? "",
      waiting,
      oldestMs: oldest === "" ? 0 : Math.max(0, now - Number(oldest)),
      used,
      paused,
    })),
  }
}
