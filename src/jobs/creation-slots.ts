import { randomUUID } from "node:crypto"
import Bottleneck from "bottleneck"
import { WINDOW_MS } from "../config/timing.ts"
import { InFlight } from "../runtime/in-flight.ts"
import { stopwatch } from "../runtime/time.ts"
import type { Job } from "./job.ts"
import { slotOf } from "./keys.ts"
import { type CreationOutcome, hadNoEffect } from "./outcome.ts"
import type { Grant, SlotStore } from "./slot-store.ts"
import type { createStartedFiles } from "./started-files.ts"

/**
 * Creations in flight per process and queue, and so the most that a crash can leave in doubt. One
 * is enough: 99 an hour leave 36 s for each, and a request is given up after 15 s.
 */
const MAX_CONCURRENT = 1
/** Politeness between two creations, ms; the hour is kept by the log and by what the process knows. */
const MIN_SPACING_MS = 250
/** The gap between two checks for room by what this process knows, ms. */
const FULL_MS = 1000

interface CreationSlotsOptions {
  jobsPerHour: number
  /** The time from the grant to the latest moment a creation can reach the service, ms. */
  creationMs: number
  /** The part of it that may pass before the request is made, ms; the request takes the rest. */
  sendWithinMs: number
  /** The wait before the first poll of a new job, ms. */
  firstPollMs: number
  windowMs?: number
  spacingMs?: number
  /** Reports the outcome of a creation or a message. */
  onCreated?: (job: Job, outcome: CreationOutcome) => void
  /** Reports that a process died while it created so many. */
  onLost?: (queue: string, count: number) => void
  inFlight?: InFlight
  /** What the workers of this machine started, on its disk. */
  files?: ReturnType<typeof createStartedFiles> | undefined
}

/** One creation as the process knows it that started it. */
interface Own {
  job: Job
  token: string
  /** Absent while it is in flight. */
  outcome: CreationOutcome | undefined
  /** The latest moment it can have arrived at the service, by a clock that nobody sets, ms. */
  latest: number
}

/** One queue as this process knows it. */
interface Lane {
  limiter: Bottleneck
  /** Creations of the hour by their tokens, for a Redis that forgets them. */
  own: Map<string, Own>
  /** The moment until which earlier creations by others count, by the same clock, ms. */
  earlier: number[]
}

export type CreationSlots = ReturnType<typeof createCreationSlots>

/**
 * Creations through Bottleneck, one local limiter per queue, with the rolling log in Redis as the
 * truth. Bottleneck gives order, concurrency and spacing. What the process itself knows of the hour is a
 * second barrier, which holds even when Redis lost its log. Bottleneck's own reservoir refresh is not used,
 * as it lets twice the ceiling through across a boundary, and neither is its Redis store, which does not
 * recover from lost state on Redis 7. The slot is taken inside the limiter's job, right before the
 * request, so a crash leaves at most `MAX_CONCURRENT` creations in doubt.
 */
export function createCreationSlots(store: SlotStore, options: CreationSlotsOptions) {
  const { windowMs = WINDOW_MS, spacingMs = MIN_SPACING_MS, inFlight = new InFlight() } = options
  const lanes = new Map<string, Promise<Lane>>()
  let epoch: string | undefined

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

  async function run(
    queue: string,
    { own }: Lane,
    create: (grant: Grant) => Promise<CreationOutcome>,
  ) {
    const token = randomUUID()
    const sinceAsked = stopwatch()
    const grant = await store.reserve(queue, token)
    if ("waitMs" in grant) return grant
    const { job } = grant
    inFlight.begin()
    try {
      // Times are kept on a clock that nobody sets, and told as ages: the wall clocks of two hosts disagree.
      const latest = performance.now() + options.creationMs
      own.set(token, { job, token, outcome: undefined, latest })
      // A process that was held up must not use its grant: the slot is stamped with another moment,
      // and by now the job may be ended as one whose process died.
      const late = sinceAsked() > options.sendWithinMs
      if (!late) await note(grant, options.creationMs)
      const outcome: CreationOutcome = late ? { kind: "put_back" } : await create(grant)
      if (!late) options.onCreated?.(job, outcome)
      // Before Redis hears of it: should it be away, it is told when it is back.
      const arrived = outcome.kind === "unknown" ? latest : performance.now()
      if (hadNoEffect(outcome)) own.delete(token)
      else own.set(token, { job, token, outcome, latest: arrived })
      await store.settle(grant, token, outcome, options.firstPollMs)
      if (!late && outcome.kind !== "unknown")
        await note(grant, hadNoEffect(outcome) ? undefined : 0)
      return "ran" as const
    } finally {
      inFlight.end()
    }
  }

  /** Keeps on disk when a creation arrives at the service at the latest, ms from now; undefined: never. */
  async function note({ job, queue }: Grant, inMs: number | undefined): Promise<void> {
    if (!options.files) return
    const now = await store.now()
    const at = inMs === undefined ? {} : { at: now + inMs }
    await options.files.note({ queue, slot: slotOf(job), ...at }, now)
  }

  /** Reports this process's creations of one queue, and settles again what Redis forgot of them. */
  async function report(queue: string, lane: Lane): Promise<void> {
    forgetOld(lane)
    const own = [...lane.own.values()]
    const now = performance.now()
    const aged = own.map(({ job, token, latest }) => ({ job, token, ageMs: now - latest }))
    const unsettled = new Set(await store.reseed(queue, aged))
    for (const { job, token, outcome } of own)
      if (outcome && unsettled.has(token))
        await store.settle({ job, queue }, token, outcome, options.firstPollMs)
  }

  /**
   * Reports this process's own creations of the hour to a Redis that may have lost them, which waits
   * for the reports of all before it grants anything. What it forgot of them is settled again, before
   * anybody can start one a second time.
   */
  async function reseed(): Promise<void> {
    await store.beginWait()
    if (options.files) await store.restore(await options.files.read(await store.now()))
    for (const [queue, lane] of lanes) await report(queue, await lane)
  }

  return {
    /**
     * Takes a slot and a job, runs the creation, and writes down what came of it: "ran", or how long
     * nothing can start, ms.
     */
    async next(
      queue: string,
      create: (grant: Grant) => Promise<CreationOutcome>,
    ): Promise<"ran" | { waitMs: number }> {
      // A cheap peek first: a job of the limiter that finds nothing to start would cost a unit.
      const waitMs = await store.peek(queue)
      if (waitMs > 0) return { waitMs }
      const lane = await laneOf(queue)
      forgetOld(lane)
      // The process knows better than the log while Redis is missing entries.
      if (lane.own.size + lane.earlier.length >= options.jobsPerHour) return { waitMs: FULL_MS }
      return lane.limiter.schedule(() => run(queue, lane, create))
    },

    /** Ends creations whose process died: their outcome is unknown. Returns how many. */
    async sweep(queue: string): Promise<number> {
      const count = await store.sweep(queue)
      if (count > 0) options.onLost?.(queue, count)
      return count
    },

    reseed,

    /** Looks whether Redis is another, or was emptied, since the last look: then it is reported to. */
    async look(): Promise<void> {
      const found = await store.beginWait()
      if (found !== epoch) await reseed()
      epoch = found
    },
  }
}
