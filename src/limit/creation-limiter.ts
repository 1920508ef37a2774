import { randomUUID } from "node:crypto"
import Bottleneck from "bottleneck"
import { WINDOW_MS } from "../config/timing.ts"
import { type CreationOutcome, hadNoEffect } from "../jobs/creation-outcome.ts"
import type { Job } from "../jobs/job.ts"
import { slotOf } from "../jobs/job-keys.ts"
import { stopwatch } from "../lib/time.ts"
import type { OutsideMemory } from "./outside-memory.ts"
import { type Grant, roundOf, type SlotStore } from "./rolling-hour.ts"

/** Maximum creations in flight per process and queue: a crash leaves at most this many unclear. */
const MAX_CONCURRENT = 1
/** Maximum ms between a grant's request and the creation: event loops stall, Redis may be slow. */
export const CREATION_MARGIN_MS = 5000
/** Minimum ms between two creations of a queue, to spare the service; no limit requires it. */
const MIN_SPACING_MS = 250
/** Jump of Redis's clock in ms above which slots count as forgotten: what `WINDOW_MS` adds. */
const MAX_STEP_MS = 5000
/** Wait in ms while this process's own count of the hour is full. */
const FULL_MS = 1000

/** Returns the time in ms from a grant to the creation's latest possible arrival at the service. */
export function creationDeadline({ docs }: { docs: { timeoutMs: number } }): number {
  return docs.timeoutMs + CREATION_MARGIN_MS
}

interface CreationSlotsOptions {
  jobsPerHour: number
  /** Time in ms from the grant to the creation's latest possible arrival at the service. */
  creationDeadlineMs: number
  /** Part of `creationDeadlineMs` within which the process must send the request. */
  sendWithinMs?: number
  windowMs?: number
  spacingMs?: number
  onCreated?: (job: Job, outcome: CreationOutcome) => void
  onLost?: (queue: string, count: number) => void
  memory?: Pick<OutsideMemory, "sending" | "hadNoEffect" | "sent"> | undefined
}

interface Own {
  job: Job
  /** Outcome of the creation; absent while it is in flight. */
  outcome: CreationOutcome | undefined
  /** Latest possible arrival at the service, by the monotonic clock. */
  latest: number
}

/** State that this process keeps for one queue: its limiter and its creations. */
interface Lane {
  limiter: Bottleneck
  /** Creations of this process in the hour by their tokens, in case Redis forgets them. */
  own: Map<string, Own>
  /** Times at which earlier creations by other processes stop counting, by the monotonic clock. */
  earlier: number[]
}

export type CreationSlots = ReturnType<typeof createCreationSlots>

/** Creates a job with its grant. Before the request, `isLate` says whether the grant is too old. */
type Create = (grant: Grant, isLate: () => boolean) => Promise<CreationOutcome>

/**
 * Sends creations through Bottleneck, which provides order, concurrency and spacing with one local
 * limiter per queue. The rolling-hour log in Redis decides what may start. The process's own count
 * of the hour is a second limit, which holds even if Redis lost its log. The bot does not use
 * Bottleneck's reservoir refresh, which lets twice the limit through across a boundary, nor its
 * Redis store, which does not recover lost state on Redis 7. The limiter's job takes the slot right
 * before the request, so a crash leaves at most `MAX_CONCURRENT` creations with an unknown outcome.
 */
export function createCreationSlots(store: SlotStore, options: CreationSlotsOptions) {
  const { windowMs = WINDOW_MS, spacingMs = MIN_SPACING_MS } = options
  const { sendWithinMs = CREATION_MARGIN_MS } = options
  const lanes = new Map<string, Promise<Lane>>()
  let epoch = ""
  /** Bounds in ms of the difference of Redis's clock from this process's, and how often it jumped. */
  let [least, most, jumps] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0]

  function laneOf(queue: string): Promise<Lane> {
    const lane = lanes.get(queue) ?? open(queue)
    lanes.set(queue, lane)
    lane.catch(() => lanes.delete(queue))
    return lane
  }

  async function open(queue: string): Promise<Lane> {
    const live = await store.live(queue)
    const now = performance.now()
    return {
      limiter: new Bottleneck({ maxConcurrent: MAX_CONCURRENT, minTime: spacingMs }),
      own: new Map(),
      earlier: live.map((leftMs) => now + leftMs),
    }
  }

  function forgetOld({ own, earlier }: Lane): void {
    const now = performance.now()
    for (const [id, { latest }] of own) if (latest + windowMs <= now) own.delete(id)
    earlier.splice(0, earlier.length, ...earlier.filter((until) => until > now))
  }

  /**
   * Notices that Redis's clock was set, and with it the end of each slot's hour.
   * @param sentAt when this process asked for `now`, because a slow answer is no jump
   */
  async function noticeJump(now: number, sentAt: number): Promise<void> {
    const [wasLeast, wasMost] = [least, most]
    least = now - performance.now()
    most = now - sentAt
    if (Math.max(least - wasMost, wasLeast - most) < MAX_STEP_MS) return
    jumps += 1
    await store.waitAgain()
  }

  async function run(queue: string, { own }: Lane, create: Create) {
    const token = randomUUID()
    const [sinceAsked, jumpsBefore] = [stopwatch(), jumps]
    const grant = await store.reserve(queue, token)
    if ("waitMs" in grant) return grant
    const { job } = grant
    // A delayed process must not use its grant: its slot would leave the hour too early, and
    // another process may have ended the job as abandoned.
    const isLate = () => sinceAsked() > sendWithinMs || jumps !== jumpsBefore
    const sentAt = performance.now()
    const now = await store.now()
    await noticeJump(now, sentAt)
    // The process keeps times on its monotonic clock and reports ages, because the wall clocks of
    // two hosts disagree.
    const latest = performance.now() + options.creationDeadlineMs
    own.set(token, { job, outcome: undefined, latest })
    const slot = slotOf(job)
    const attempt = { queue, slot, job: job.id, round: roundOf(job) }
    await options.memory?.sending({ ...attempt, at: now + options.creationDeadlineMs })
    const outcome = isLate() ? { kind: "put_back" as const } : await create(grant, isLate)
    options.onCreated?.(job, outcome)
    // This process records the outcome before Redis does, and reports it later if Redis is
    // unavailable.
    const arrived = outcome.kind === "unknown" ? latest : performance.now()
    if (hadNoEffect(outcome)) {
      own.delete(token)
      await options.memory?.hadNoEffect(slot)
    } else own.set(token, { job, outcome, latest: arrived })
    await store.settle(grant, token, outcome)
    return "ran" as const
  }

  /** Reports this process's creations in one queue, and settles again those that Redis lost. */
  async function report(queue: string, lane: Lane): Promise<void> {
    forgetOld(lane)
    const own = [...lane.own].map(([token, creation]) => ({ token, ...creation }))
    const now = performance.now()
    const aged = own.map(({ job, token, latest }) => ({ job, token, ageMs: now - latest }))
    const unsettled = new Set(await store.reseed(queue, aged))
    for (const { job, token, outcome } of own)
      if (outcome && unsettled.has(token)) await store.settle({ job, queue }, token, outcome)
  }

  /**
   * Reports this process's creations of the hour to a Redis that may have lost them. Redis grants
   * nothing for `coldMs`, so that every process can report. This settles lost outcomes again before
   * anybody can start such a job a second time.
   */
  async function reseed(): Promise<void> {
    const [now] = await store.beginWait()
    await store.restore((await options.memory?.sent(now)) ?? [])
    for (const [queue, lane] of lanes) await report(queue, await lane)
  }

  return {
    /** Takes a slot and a job and sends the creation, or returns how long nothing can start. */
    async next(queue: string, create: Create): Promise<"ran" | { waitMs: number }> {
      // Peeks first, because a limiter job that starts nothing would use up the spacing.
      const waitMs = await store.peek(queue)
      if (waitMs > 0) return { waitMs }
      const lane = await laneOf(queue)
      forgetOld(lane)
      // While slots are missing in Redis, the process's own count is more accurate than the log.
      if (lane.own.size + lane.earlier.length >= options.jobsPerHour) return { waitMs: FULL_MS }
      return lane.limiter.schedule(() => run(queue, lane, create))
    },

    async sweep(queue: string): Promise<number> {
      const count = await store.sweep(queue)
      if (count > 0) options.onLost?.(queue, count)
      return count
    },

    reseed,

    /** Reports the creations to a Redis that was restarted, replaced or emptied meanwhile. */
    async reseedIfLost(): Promise<void> {
      const sentAt = performance.now()
      const [now, found] = await store.beginWait()
      await noticeJump(now, sentAt)
      if (found !== epoch) await reseed()
      epoch = found
    },
  }
}
