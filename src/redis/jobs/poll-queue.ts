import { type JobEvents, NO_EVENTS } from "../../jobs/events.ts"
import type { Observation } from "../../jobs/job.ts"
import type { PollQueue } from "../../jobs/worker-ports.ts"
import { type OnBroken, readable } from "../broken.ts"
import { FOLLOWED_FIELDS, toFollowed } from "../job-record.ts"
import { JOB_PREFIX, jobKeys, KEEP_MS, keys, THREAD_MS } from "../keys.ts"
import { called, type ReadProjectNames, SAME_NAMES } from "../projects/names.ts"
import type { Now, RedisClient } from "../script.ts"
import { claimDue, recordObservation, reschedule } from "./poll-queue.lua.ts"

interface PollQueueOptions {
  /** A claim not settled within this time is free for another worker, ms. */
  leaseMs: number
  /** A record that cannot be read is passed over and comes back after its lease. */
  onBroken: OnBroken
  names?: ReadProjectNames
  events?: JobEvents
  now?: Now
}

export function createPollQueue(redis: RedisClient, options: PollQueueOptions): PollQueue {
  const { names = SAME_NAMES, events = NO_EVENTS } = options
  const on = { redis, now: options.now }
  return {
    async claim(limit) {
      const args = { limit, leaseMs: options.leaseMs, jobPrefix: JOB_PREFIX }
      // Before the claim: what cannot be named must not be leased for nothing.
      const known = await names()
      const [now, lease, rows] = await claimDue(on, keys, args, FOLLOWED_FIELDS)
      const read = ([id, values]: (typeof rows)[number]) =>
        readable(keys.job(id), () => called(known, toFollowed(id, values)), options.onBroken) ?? []
      return { now, lease, jobs: rows.flatMap(read) }
    },

    async reschedule(lease, next) {
      if (next.length === 0) return
      const flat = next.flatMap(({ id, waitMs }) => [id, Math.round(waitMs)])
      await reschedule(on, keys, { lease }, flat)
    },

    async record(lease, job, found: Observation) {
      const { ending = "", detail = "", prLink = "", branch = "", misses } = found
      const { id } = job
      const rest = { waitMs: Math.round(found.waitMs), keepMs: KEEP_MS, pullKeepMs: THREAD_MS }
      const turned = found.isReactivated ? "1" : ""
      const args = { id, lease, ending, detail, prLink, branch, turned, misses, ...rest }
      const taken = (await recordObservation(on, jobKeys(id), args)) === 1
      if (taken && found.ending) events.ended(job, found.ending)
      return taken
    },
  }
}
