import { randomUUID } from "node:crypto"
import Bottleneck from "bottleneck"
import { DocsError } from "../docs-service/docs-error.ts"
import type { Context, JobEvents } from "../jobs/context.ts"
import { currentRound } from "../jobs/rounds.ts"
import { type AttemptOutcome, hadNoEffect } from "../jobs/send-round.ts"
import { type Stop, UNTIL_WOKEN } from "../lib/loop.ts"
import { raceAbort, stopwatch } from "../lib/time.ts"
import type { OutsideMemory, Sent } from "./memory-outside-redis.ts"
import { endOutage } from "./refused-key.ts"
import type { Grant, Reported, SlotStore } from "./rolling-hour.ts"

/**
 * Maximum attempts in flight per process and queue: a crash leaves at most this many unclear. The
 * second starts only beside a slow one, so that an answer that never comes delays nobody else.
 */
export const MAX_CONCURRENT = 2
/** Maximum ms between a grant's request and the attempt: event loops stall, Redis may be slow. */
export const SEND_WITHIN_MS = 5000
/** Minimum ms between two attempts of a queue, to spare the service; no limit requires it. */
const MIN_SPACING_MS = 250
/** Jump of Redis's clock in ms above which slots count as forgotten: what `WINDOW_MS` adds. */
const MAX_STEP_MS = 5000
/** Wait in ms while this process's own hour is full. */
const FULL_MS = 1000

/** Returns the time in ms from a grant to the attempt's latest possible arrival at the service. */
export function arrivesWithinMs({ docs }: { docs: { timeoutMs: number } }): number {
  return docs.timeoutMs + SEND_WITHIN_MS
}

interface StarterOptions {
  /** Part of the store's `arrivesWithinMs` within which the process must send the request. */
  sendWithinMs?: number
  spacingMs?: number
  events?: Pick<JobEvents, "created" | "lost">
  memory?: Pick<OutsideMemory, "sending" | "hadNoEffect" | "sent"> | undefined
}

/** Attempt of this process. */
interface Own {
  attempt: Omit<Sent, "at">
  /** Absent while the attempt is in flight. */
  outcome: AttemptOutcome | undefined
  /** Latest possible arrival at the service, by the monotonic clock. */
  latest: number
}

/** State that this process keeps for one queue: its limiter and its attempts. */
interface Lane {
  limiter: Bottleneck
  /** Attempts of this process in the hour by their tokens, in case Redis forgets them. */
  own: Map<string, Own>
}

/** Sends a round with its grant. Before the request, `isLate` says whether the grant is too old. */
export type Send = (grant: Grant, isLate: () => boolean) => Promise<AttemptOutcome>

/**
 * Starts rounds through Bottleneck, which provides order, concurrency and spacing with one local
 * limiter per queue. The rolling-hour log in Redis decides what may start. The limiter's reservoir
 * is the process's own bound of the hour, which holds even if Redis lost its log: each attempt
 * takes one of it, and gives it back an hour after it arrived. The bot does not use Bottleneck's
 * reservoir refresh, which lets twice the limit through across a boundary, nor its Redis store,
 * which does not recover lost state on Redis 7. The limiter's job takes the slot right before the
 * request, so a crash leaves at most `MAX_CONCURRENT` attempts with an unknown outcome.
 */
export class RoundStarter {
  readonly #store: SlotStore
  readonly #options: StarterOptions
  readonly #lanes = new Map<string, Promise<Lane>>()
  #reportedTo = ""
  /** Bounds in ms of Redis's clock minus this process's, by the latest answer of Redis. */
  #redisMinusOurs = { atLeast: Number.NEGATIVE_INFINITY, atMost: Number.POSITIVE_INFINITY }
  /** Number of times that Redis's clock jumped. */
  #jumps = 0

  constructor(store: SlotStore, options: StarterOptions) {
    this.#store = store
    this.#options = options
  }

  /** Takes a slot and sends the next round, or returns how long nothing can start. */
  async next(queue: string, send: Send): Promise<"ran" | { waitMs: number }> {
    // Peeks first, because a limiter job that starts nothing would use up the spacing.
    const waitMs = await this.#store.peek(queue)
    if (waitMs > 0) return { waitMs }
    const lane = await this.#laneOf(queue)
    // While slots are missing in Redis, the process's own bound is more accurate than the log.
    const left = Number(await lane.limiter.currentReservoir())
    // One that passes beside this one may have been received, and is not in the queue yet.
    const { RECEIVED, QUEUED } = lane.limiter.counts()
    if (left - RECEIVED - QUEUED < 1) return { waitMs: FULL_MS }
    return lane.limiter.schedule(() => this.#run(queue, lane, send))
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
    const sent = (await this.#options.memory?.sent(now)) ?? []
    await this.#store.report([...sent.filter(({ token }) => !known.has(token)), ...own])
  }

  /** Reports the attempts to a Redis that was restarted, replaced or emptied meanwhile. */
  async reseedIfLost(): Promise<void> {
    const askedAt = performance.now()
    const [now, epoch] = await this.#store.beginWait()
    await this.#noticeJump(now, askedAt)
    if (epoch !== this.#reportedTo) await this.reseed()
    this.#reportedTo = epoch
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
   * @param askedAt when this process asked for `now`, because a slow answer is no jump
   */
  async #noticeJump(now: number, askedAt: number): Promise<void> {
    const before = this.#redisMinusOurs
    const latest = { atLeast: now - performance.now(), atMost: now - askedAt }
    this.#redisMinusOurs = latest
    const forwardMs = latest.atLeast - before.atMost
    const backMs = before.atLeast - latest.atMost
    if (Math.max(forwardMs, backMs) < MAX_STEP_MS) return
    this.#jumps += 1
    await this.#store.waitAgain()
  }

  /** Runs in the limiter, which took one of its reservoir for it. */
  async #run(queue: string, lane: Lane, send: Send) {
    const token = randomUUID()
    try {
      return await this.#attempt(queue, token, lane.own, send)
    } finally {
      // A run that sent nothing left no attempt among the process's own.
      const { latest = Number.NEGATIVE_INFINITY } = lane.own.get(token) ?? {}
      returnLater(lane, latest + this.#store.limits.windowMs - performance.now(), token)
    }
  }

  async #attempt(queue: string, token: string, own: Lane["own"], send: Send) {
    const { memory, sendWithinMs = SEND_WITHIN_MS } = this.#options
    const { arrivesWithinMs } = this.#store.limits
    const [sinceAsked, askedAt, jumpsBefore] = [stopwatch(), performance.now(), this.#jumps]
    const grant = await this.#store.grant(queue, token)
    if ("waitMs" in grant) return grant
    const { job, at } = grant
    await this.#noticeJump(at, askedAt)
    // A delayed process must not use its grant: its slot would leave the hour too early, and
    // another process may have ended the job as abandoned.
    const isLate = () => sinceAsked() > sendWithinMs || this.#jumps !== jumpsBefore
    const latest = performance.now() + arrivesWithinMs
    const { id: round } = currentRound(job)
    const attempt = { queue, token, turnOf: job.turnOf, job: job.id, round }
    own.set(token, { attempt, outcome: undefined, latest })
    const sent = { ...attempt, at: at + arrivesWithinMs }
    await memory?.sending(sent)
    const outcome = isLate() ? { kind: "put_back" as const } : await send(grant, isLate)
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

/** Gives one of the process's own hour back once an attempt no longer counts. */
function returnLater({ limiter, own }: Lane, afterMs: number, token = ""): void {
  const free = () => {
    own.delete(token)
    void limiter.incrementReservoir(1)
  }
  setTimeout(free, Math.max(0, afterMs)).unref()
}

const STOPPED: AttemptOutcome = {
  kind: "unknown",
  detail: "the bot was stopped before the service answered",
}

/** Ends attempts of dead processes in one queue, then starts as many jobs as the hour allows. */
export async function dispatchPass(
  queue: string,
  context: Context,
  { slots, send }: { slots: RoundStarter; send: Send },
  { stopping, forceStop }: Stop,
) {
  const swept = await slots.sweep(queue)
  while (!stopping.aborted) {
    let isUnanswered = false
    const result = await slots.next(queue, async (grant, isLate) => {
      const outcome = await raceAbort(send(grant, isLate), forceStop, STOPPED)
      const cause = outcome.kind === "unknown" ? outcome.cause : undefined
      isUnanswered = cause instanceof DocsError && cause.fault === "interrupted"
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
