import type { Observation, PollQueue } from "../jobs/ports.ts"
import { type OnBroken, readable } from "./broken.ts"
import { FOLLOWED_FIELDS, toFollowed } from "./job-record.ts"
import { KEEP_MS } from "./job-store.ts"
import { JOB_PREFIX, keys } from "./keys.ts"
import { type Now, nowArgument, type RedisClient } from "./script.ts"
import { claimDue, recordObservation, reschedule } from "./scripts/follow.ts"

export interface QueueOptions {
  /** A claim not settled within this time is free for another worker, ms. */
  leaseMs: number
  /** A record that cannot be read is passed over and comes back after its lease. */
  onBroken: OnBroken
  now?: Now
}

export function createPollQueue(redis: RedisClient, options: QueueOptions): PollQueue {
  const at = () => nowArgument(options.now)
  return {
    async claim(limit) {
      const args = [at(), limit, options.leaseMs, JOB_PREFIX, ...FOLLOWED_FIELDS]
      const [now, lease, rows] = await claimDue(redis, [keys.due], args)
      const read = ([id, values]: (typeof rows)[number]) =>
        readable(keys.job(id), () => toFollowed(id, values), options.onBroken) ?? []
      return { now, lease, jobs: rows.flatMap(read) }
    },

    async reschedule(lease, next) {
      if (next.length === 0) return
      const flat = next.flatMap(({ id, waitMs }) => [id, Math.round(waitMs)])
      await reschedule(redis, [keys.due], [at(), lease, ...flat])
    },

    async record(lease, job, found: Observation) {
      const own = [keys.job(job.id), keys.due, keys.outbox, keys.prompt(job.id)]
      const { ending = "", prLink = "", misses, waitMs } = found
      const args = [at(), job.id, lease, Math.round(waitMs), ending, prLink, misses, KEEP_MS]
      return (await recordObservation(redis, own, args)) === 1
    },
  }
}
