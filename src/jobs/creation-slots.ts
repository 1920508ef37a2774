import { randomUUID } from "node:crypto"
import Bottleneck from "bottleneck"
import { WINDOW_MS } from "../config/timing.ts"
import { InFlight } from "../runtime/in-flight.ts"
import { stopwatch } from "../runtime/time.ts"
import type { CreationSlots } from "./dispatch.ts"
import type { Job } from "./job.ts"
import { type CreationOutcome, hadNoEffect } from "./outcome.ts"
import { OwnCreations } from "./own-creations.ts"
import type { Grant, SlotStore } from "./slot-store.ts"

/**
 * Creations in flight per process and queue, and so the most that a crash can leave in doubt. One
 * is enough: 99 an hour leave 36 s for each, and a request is given up after 15 s.
 */
const MAX_CONCURRENT = 1
/** Politeness between two creations, ms; the hour is kept by the log and the reservoir. */
const MIN_SPACING_MS = 250

interface CreationSlotsOptions {
  jobsPerHour: number
  /** From the grant to the latest moment a creation can arrive at the service, ms. */
  creationMs: number
  /** What of it may pass before the request is made, ms; the request takes the rest. */
  sendWithinMs: number
  /** Until the first poll of a new job, ms. */
  firstPollMs: number
  windowMs?: number
  spacingMs?: number
  /** Told what came of a creation or a message. */
  onCreated?: (job: Job, outcome: CreationOutcome) => void
  /** Told that a process died while it created so many. */
  onLost?: (queue: string, count: number) => void
  inFlight?: InFlight
}

/**
 * Creations through Bottleneck, one local limiter per queue, with the rolling log in Redis as the
 * truth. Bottleneck gives order, concurrency and spacing, and its reservoir is a second barrier: it
 * holds even when Redis lost its log. Its own reservoir refresh is not used, as it lets twice the
 * ceiling through across a boundary, and neither is its Redis store, which does not recover from
 * lost state on Redis 7. The slot is taken inside the limiter's job, right before the request, so a
 * crash leaves at most `MAX_CONCURRENT` creations in doubt. Call `next` again when it has resolved.
 */
export class BottleneckCreationSlots implements CreationSlots {
  readonly #store: SlotStore
  readonly #options: Required<CreationSlotsOptions>
  readonly #lanes = new Map<string, Promise<Lane>>()
  #reseeding: Promise<void> | undefined
  #forgotten = false

  constructor(store: SlotStore, options: CreationSlotsOptions) {
    this.#store = store
    this.#options = {
      windowMs: WINDOW_MS,
      spacingMs: MIN_SPACING_MS,
      onCreated: () => {},
      onLost: () => {},
      inFlight: new InFlight(),
      ...options,
    }
  }

  async next(queue: string, create: (grant: Grant) => Promise<CreationOutcome>) {
    // A cheap peek first: a job of the limiter that finds nothing to start would cost a unit.
    const waitMs = await this.#store.peek(queue)
    if (waitMs > 0) return { waitMs }
    const lane = await this.#lane(queue)
    // Our own reservoir is stricter than the log while Redis is missing entries: wait for it here,
    // not in Bottleneck's memory.
    const left = await lane.limiter.currentReservoir()
    if (left !== null && left <= 0) return { waitMs: 1000 }
    return lane.limiter.schedule(() => this.#run(queue, lane, create))
  }

  async sweep(queue: string): Promise<number> {
    const count = await this.#store.sweep(queue)
    if (count > 0) this.#options.onLost(queue, count)
    return count
  }

  /**
   * Reports this process' own creations of the hour to a Redis that may have lost them, which waits
   * for the reports of all before it grants anything, from now on and not from the first request. What it
   * forgot of them is settled again, before anybody can start one a second time. One report at a time,
   * and one more when it was asked for meanwhile: a Redis that connects and refuses, again and again,
   * must not be sent one each time.
   */
  reseed(): Promise<void> {
    this.#forgotten = true
    this.#reseeding ??= this.#reseed().finally(() => {
      this.#reseeding = undefined
    })
    return this.#reseeding
  }

  async #reseed(): Promise<void> {
    while (this.#forgotten) {
      this.#forgotten = false
      await this.#store.beginWait()
      for (const [queue, lane] of this.#lanes) await this.#report(queue, await lane)
    }
  }

  async #report(queue: string, lane: Lane): Promise<void> {
    const own = lane.own.list()
    const unsettled = new Set(await this.#store.reseed(queue, own))
    for (const { job, token, outcome } of own)
      if (outcome && unsettled.has(job.id))
        await this.#store.settle({ job, queue }, token, outcome, this.#options.firstPollMs)
  }

  /** Resolves when no creation is in flight; takes nothing in any more. */
  async stop(): Promise<void> {
    const lanes = await Promise.allSettled(this.#lanes.values())
    for (const lane of lanes) {
      if (lane.status !== "fulfilled") continue
      for (const timer of lane.value.timers) clearTimeout(timer)
      await lane.value.limiter.disconnect()
    }
  }

  async #run(queue: string, lane: Lane, create: (grant: Grant) => Promise<CreationOutcome>) {
    const token = randomUUID()
    const sinceAsked = stopwatch()
    const { onCreated, inFlight } = this.#options
    let [begun, spent] = [false, false]
    try {
      const grant = await this.#store.reserve(queue, token)
      if ("waitMs" in grant) return grant
      inFlight.begin()
      begun = spent = true
      lane.own.begun(grant.job, token, this.#options.creationMs)
      // A process that was held up must not use its grant: the slot is stamped with another moment,
      // and by now the job may be ended as one whose process died.
      const late = sinceAsked() > this.#options.sendWithinMs
      const outcome: CreationOutcome = late ? { kind: "put_back" } : await create(grant)
      if (!late) onCreated(grant.job, outcome)
      if (hadNoEffect(outcome)) spent = false
      // Before Redis hears of it: should it be away, it is told when it is back.
      lane.own.ended(grant.job.id, outcome)
      await this.#store.settle(grant, token, outcome, this.#options.firstPollMs)
      return "ran" as const
    } finally {
      if (begun) inFlight.end()
      if (spent) this.#giveBackLater(lane, this.#options.windowMs)
      else await lane.limiter.incrementReservoir(1)
    }
  }

  #lane(queue: string): Promise<Lane> {
    const known = this.#lanes.get(queue)
    if (known) return known
    const opening = this.#open(queue)
    this.#lanes.set(queue, opening)
    opening.catch(() => this.#lanes.delete(queue))
    return opening
  }

  async #open(queue: string): Promise<Lane> {
    const live = await this.#store.live(queue)
    const limiter = new Bottleneck({
      maxConcurrent: MAX_CONCURRENT,
      minTime: this.#options.spacingMs,
      reservoir: Math.max(0, this.#options.jobsPerHour - live.length),
    })
    const own = new OwnCreations(this.#options.windowMs, () => performance.now())
    const lane: Lane = { limiter, own, timers: new Set() }
    for (const leftMs of live) this.#giveBackLater(lane, leftMs)
    return lane
  }

  #giveBackLater(lane: Lane, afterMs: number): void {
    const timer = setTimeout(
      () => {
        lane.timers.delete(timer)
        void lane.limiter.incrementReservoir(1)
      },
      Math.max(0, afterMs),
    ).unref()
    lane.timers.add(timer)
  }
}

interface Lane {
  limiter: Bottleneck
  own: OwnCreations
  timers: Set<NodeJS.Timeout>
}
