import type { Job } from "../../jobs/job.ts"
import type { CreationOutcome } from "../../jobs/queue-ports.ts"
import { redisTime } from "../clock.ts"
import { JOB_PREFIX, keys, queueKeys } from "../keys.ts"
import { pairs } from "../replies.ts"
import type { Store } from "../script.ts"
import { remember } from "./remember.lua.ts"
import { beginWait } from "./slots.lua.ts"

/** One creation as the process knows it that started it. */
export interface OwnCreation {
  job: Job
  token: string
  /** Absent while it is in flight. */
  outcome: CreationOutcome | undefined
  /** Since the latest moment it can have arrived at the service, ms; negative while in flight. */
  ageMs: number
}

interface RecoveryLimits {
  windowMs: number
  creationMs: number
  coldMs: number
}

/**
 * What Redis and the processes tell each other of the creations of the rolling hour, where either starts
 * over.
 * @param storedAs what a queue is called in Redis
 */
export function createRecovery(
  on: Store,
  { windowMs, creationMs, coldMs }: RecoveryLimits,
  storedAs: (queue: string) => Promise<string>,
) {
  const { redis } = on
  return {
    /** A Redis that may have forgotten something grants nothing for a while: that while begins now. */
    async beginWait(): Promise<void> {
      await beginWait(on, keys, { coldMs })
    },

    /** How long each creation of the rolling hour still counts, ms. */
    async live(name: string): Promise<number[]> {
      const queue = await storedAs(name)
      const [flat, now] = await Promise.all([
        redis.zrange(keys.project(queue).log, "0", "-1", "WITHSCORES"),
        on.now ? on.now() : redisTime(redis),
      ])
      return pairs(flat).flatMap(({ at }) => (at > now - windowMs ? at + windowMs - now : []))
    },

    /**
     * Tells a Redis that may have lost them of these creations. Resolves to the ids of jobs that are
     * in flight for it, or that it took for waiting: what came of them must be settled again.
     */
    async reseed(name: string, own: readonly OwnCreation[]): Promise<string[]> {
      if (own.length === 0) return []
      const queue = await storedAs(name)
      const flat = own.flatMap(({ job, token, ageMs }) => [job.id, job.user, token, ageMs])
      const args = {
        deadlineMs: creationMs,
        windowMs,
        jobPrefix: JOB_PREFIX,
        waitingPrefix: keys.waiting(queue, ""),
      }
      return remember(on, queueKeys(queue, ""), args, flat)
    },
  }
}
