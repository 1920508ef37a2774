import { randomUUID } from "node:crypto"
import Bottleneck from "bottleneck"
import { DocsError } from "../docs-service/docs-error.ts"
import type { Context, JobEvents } from "../jobs/context.ts"
import { currentRound } from "../jobs/rounds.ts"
import { type CreationOutcome, hadNoEffect } from "../jobs/send-round.ts"
import { type Stop, UNTIL_WOKEN } from "../lib/loop.ts"
import { raceAbort, stopwatch } from "../lib/time.ts"
import type { OutsideMemory, Sent } from "./memory-outside-redis.ts"
import { endOutage } from "./refused-key.ts"
import type { Grant, Reported, SlotStore } from "./rolling-hour.ts"

/**
 * Maximum creations in flight per process and queue: a crash leaves at most this many unclear. The
 * second starts only beside a slow one, so that an answer that never comes delays nobody else.
 */
export const MAX_CONCURRENT = 2
/** Maximum ms between a grant's request and the creation: event loops stall, Redis may be slow. */
export const CREATION_MARGIN_MS = 5000
/** Minimum ms between two creations of a queue, to spare the service; no limit requires it. */
const MIN_SPACING_MS = 250
/** Jump of Redis's clock in ms above which slots count as forgotten: what `WINDOW_MS` adds. */
const MAX_STEP_MS = 5000
/** Wait in ms while this process's own hour is full. */
const FULL_MS = 1000

/** Returns the time in ms from a grant to the creation's latest possible arrival at the service. */
export function creationDeadline({ docs }: { docs: { timeoutMs: number } }): number {
  return docs.timeoutMs + CREATION_MARGIN_MS
}

interface CreationSlotsOptions {
  /** Part of the store's `creationDeadlineMs` within which the process must send the request. */
  sendWithinMs?: number
  spacingMs?: number
  events?: Pick<JobEvents, "created" | "lost">
  memory?: Pick<OutsideMemory, "sending" | "hadNoEffect" | "sent"> | undefined
}

interface Own {
  attempt: Omit<Sent, "at">
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
}

/** Creates a job with its grant. Before the request, `isLate` says whether the grant is too old. */
export type Create = (grant: Grant, isLate: () => boolean) => Promise<CreationOutcome>

/**
 * Sends creations through Bottleneck, which provides order, concurrency and spacing with one local
 * limiter per queue. The rolling-hour log in Redis decides what may start. The limiter's reservoir
 * is the process's own bound of the hour, which holds even if Redis lost its log: each creation
 * takes one of it, and gives it back an hour after it arrived. The bot does not use Bottleneck's
 * reservoir refresh, which lets twice the limit through across a boundary, nor its Redis store,
 * which does not recover lost state on Redis 7. The limiter's job takes the slot right before the
 * request, so a crash leaves at most `MAX_CONCURRENT` creations with an unknown outcome.
 */
export class CreationSlots {
  readonly #store: SlotStore
  readonly #options: CreationSlotsOptions
  readonly #lanes = new Map<string, Promise<Lane>>()
  #epoch = ""
  /** Bounds in ms of Redis's clock minus this process's, by the latest answer of Redis. */
  #redisMinusOurs = { atLeast: Number.NEGATIVE_INFINITY, atMost: Number.POSITIVE_INFINITY }
  /** Number of times that Redis's clock jumped. */
  #jumps = 0

  constructor(store: SlotStore, options: CreationSlotsOptions) {
    this.#store = store
    this.#options = options
  }

  /** Takes a slot and a job and sends the creation, or returns how long nothing can start. */
  async next(queue: string, create: Create): Promise<"ran" | { waitMs: number }> {
    // Peeks first, because a limiter job that starts nothing would use up the spacing.
    const waitMs = await this.#store.peek(queue)
    if (waitMs > 0) return { waitMs }
    const lane = await this.#laneOf(queue)
    // While slots are missing in Redis, the process's own bound is more accurate than the log.
    const left = Number(await lane.limiter.currentReservoir())
    // One that passes beside this one may have been received, and is not in the queue yet.
    const { RECEIVED, QUEUED } = lane.limiter.counts()
    if (left - RECEIVED - QUEUED < 1) return { waitMs: FULL_MS }
    return lane.limiter.schedule(() => this.#run(queue, lane, create))
  }

  async sweep(queue: string): Promise<number> {
    const count = await this.#store.sweep(queue)
    if (count > 0) this.#options.events?.lost(queue, count)
    return count
  }

  /**
   * Reports what this process and earlier ones of its machine sent to a Redis that may have lost it.
   * Redis grants nothing for `coldMs`, so that every process can report before anybody can start
   * such a job a second time.
   */
  async reseed(): Promise<void> {
    const asked = performance.now()
    const [now] = await this.#store.beginWait()
    const lanes = await Promise.all(this.#lanes.values())
    const own = lanes
      .flatMap((lane) => [...lane.own.values()])
      .map(({ attempt, outcome, latest }): Reported => {
        // Keeps times on the monotonic clock and reports ages, because wall clocks disagree.
        return { ...attempt, at: Math.ceil(now + latest - asked), own: { outcome } }
      })
    const known = new Set(own.map(({ token }) => token))
    const found = (await this.#options.memory?.sent(now)) ?? []
    await this.#store.report([...found.filter(({ token }) => !known.has(token)), ...own])
  }

  /** Reports the creations to a Redis that was restarted, replaced or emptied meanwhile. */
  async reseedIfLost(): Promise<void> {
    const sentAt = performance.now()
    const [now, found] = await this.#store.beginWait()
    await this.#noticeJump(now, sentAt)
    if (found !== this.#epoch) await this.reseed()
    this.#epoch = found
  }

  #laneOf(queue: string): Promise<Lane> {
    const lane = this.#lanes.get(queue) ?? this.#open(queue)
    this.#lanes.set(queue, lane)
    lane.catch(() => this.#lanes.delete(queue))
    return lane
  }

  async #open(queue: string): Promise<Lane> {
    const live = await this.#store.live(queue)
    const { jobsPerHour } = this.#store.limits
    const minTime = this.#options.spacingMs ?? MIN_SPACING_MS
    const reservoir = Math.max(0, jobsPerHour - live.length)
    const limiter = new Bottleneck({ maxConcurrent: MAX_CONCURRENT, minTime, reservoir })
    const lane: Lane = { limiter, own: new Map() }
    for (const leftMs of live.slice(-jobsPerHour)) returnLater(lane, leftMs)
    return lane
  }

  /**
   * Notices that Redis's clock was set, and with it the end of each slot's hour. Redis read `now`
   * at some time between our question and its answer, so each look gives two bounds; if the clock
   * was not set, the true difference is within those of both looks.
   * @param sentAt when this process asked for `now`, because a slow answer is no jump
   */
  async #noticeJump(now: number, sentAt: number): Promise<void> {
    const before = this.#redisMinusOurs
    const latest = { atLeast: now - performance.now(), atMost: now - sentAt }
    this.#redisMinusOurs = latest
    const forwardMs = latest.atLeast - before.atMost
    const backMs = before.atLeast - latest.atMost
    if (Math.max(forwardMs, backMs) < MAX_STEP_MS) return
    this.#jumps += 1
    await this.#store.waitAgain()
  }

  /** Runs in the limiter, which took one of its reservoir for it. */
  async #run(queue: string, lane: Lane, create: Create) {
    const token = randomUUID()
    try {
      return await this.#send(queue, token, lane.own, create)
    } finally {
      // A run that sent nothing left no creation among the process's own.
      const { latest = Number.NEGATIVE_INFINITY } = lane.own.get(token) ?? {}
      returnLater(lane, latest + this.#store.limits.windowMs - performance.now(), token)
    }
  }

  async #send(queue: string, token: string, own: Lane["own"], create: Create) {
    const { memory, sendWithinMs = CREATION_MARGIN_MS } = this.#options
    const { creationDeadlineMs } = this.#store.limits
    const [sinceAsked, askedAt, jumpsBefore] = [stopwatch(), performance.now(), this.#jumps]
    const grant = await this.#store.grant(queue, token)
    if ("waitMs" in grant) return grant
    const { job, at } = grant
    await this.#noticeJump(at, askedAt)
    // A delayed process must not use its grant: its slot would leave the hour too early, and
    // another process may have ended the job as abandoned.
    const isLate = () => sinceAsked() > sendWithinMs || this.#jumps !== jumpsBefore
    const latest = performance.now() + creationDeadlineMs
    const { id: round } = currentRound(job)
    const attempt = { queue, token, turnOf: job.turnOf, job: job.id, round }
    own.set(token, { attempt, outcome: undefined, latest })
    const sent = { ...attempt, at: at + creationDeadlineMs }
    await memory?.sending(sent)
    const outcome = isLate() ? { kind: "put_back" as const } : await create(grant, isLate)
    this.#options.events?.created(job, outcome)
    // This process records the outcome before Redis does, and reports it later if Redis is
    // unavailable.
    const arrived = outcome.kind === "unknown" ? latest : performance.now()
    if (hadNoEffect(outcome)) {
      own.delete(token)
      await memory?.hadNoEffect(sent)
    } else own.set(token, { attempt, outcome, latest: arrived })
    await this.#store.settle(grant, token, outcome)
    return "ran" as const
  }
}

/** Gives one of the process's own hour back once a creation no longer counts. */
function returnLater({ limiter, own }: Lane, afterMs: number, token = ""): void {
  const free = () => {
    own.delete(token)
    void limiter.incrementReservoir(1)
  }
  setTimeout(free, Math.max(0, afterMs)).unref()
}

const STOPPED: CreationOutcome = {
  kind: "unknown",
  detail: "the bot was stopped before the service answered",
}

/** Ends creations of dead processes in one queue, then starts as many jobs as the hour allows. */
export async function dispatchPass(
  queue: string,
  context: Context,
  { slots, create }: { slots: CreationSlots; create: Create },
  { stopping, forceStop }: Stop,
) {
  const swept = await slots.sweep(queue)
  while (!stopping.aborted) {
    let isUnanswered = false
    const result = await slots.next(queue, async (grant, isLate) => {
      const outcome = await raceAbort(create(grant, isLate), forceStop, STOPPED)
      isUnanswered = outcome.kind === "unknown" && isNoAnswer(outcome.cause)
      return outcome
    })
    if (isUnanswered) await endOutage(context, queue)
    if (result === "ran") continue
    if (swept > 0) return 0
    return Number.isFinite(result.waitMs)
      ? Math.min(result.waitMs, context.settings.timing.restMs)
      : UNTIL_WOKEN
  }
  return 0
}

function isNoAnswer(cause: unknown): boolean {
  return cause instanceof DocsError && cause.fault === "interrupted"
}
