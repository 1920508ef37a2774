import { monthsOf } from "../jobs/change.ts"
import { type CreationOutcome, isKeyFault } from "../jobs/creation-outcome.ts"
import type { Job } from "../jobs/job.ts"
import {
  BUSY,
  EPOCH,
  grantKey,
  jobKeys,
  monthKeys,
  projectOf,
  queueKeys,
  slotOf,
} from "../jobs/job-keys.ts"
import type { JobStore } from "../jobs/job-store.ts"
import type { HealthStore } from "../jobs/pause-store.ts"
import { currentRound } from "../jobs/rounds.ts"
import { abandoned, remembered, settled } from "../jobs/send-round.ts"
import { WINDOW_MS } from "../lib/time.ts"
import { beginWait, LIGHT_USER_CREATIONS, reserve } from "../store/grant-slot.ts"
import { currentTime, type Store } from "../store/script.ts"
import { scoresOf } from "../store/shared-rates.ts"
import type { Sent } from "./memory-outside-redis.ts"
import { ALLOWED_MORE, MONTH_KEPT_MS, monthOf } from "./month-budget.ts"
import { type PauseLengths, pausedBy } from "./pauses.ts"

const SOON_MS = 250

/** Permission to send one creation, with a slot taken. The job's `grant` is its token. */
export interface Grant {
  job: Job
  queue: string
}

interface SlotLimits {
  jobsPerHour: number
  jobsPerMonth: number
  reservedSlots: number
  creationDeadlineMs: number
  coldMs: number
  /** Maximum ms for which a request without a card holds back later turns of the fair order. */
  heldMs: number
  windowMs?: number
  pauses: PauseLengths
  firstPollMs: number
  keyIdOf: (project: string) => string
}

/** Slots of the rolling hour in Redis, which decides what may start. */
export class SlotStore {
  readonly #store: Store
  readonly #jobs: JobStore
  readonly #health: HealthStore
  readonly #limits: SlotLimits
  readonly #windowMs: number

  constructor(store: Store, jobs: JobStore, health: HealthStore, limits: SlotLimits) {
    this.#store = store
    this.#jobs = jobs
    this.#health = health
    this.#limits = limits
    this.#windowMs = limits.windowMs ?? WINDOW_MS
  }

  /** Makes a Redis that may have lost data wait for reports. Each such wait has its own id. */
  beginWait() {
    return beginWait(this.#store, { epoch: EPOCH }, { coldMs: this.#limits.coldMs })
  }

  /** Makes Redis wait for reports as if it had lost its data. */
  async waitAgain(): Promise<void> {
    await this.#store.redis.del(EPOCH)
  }

  async live(queue: string): Promise<number[]> {
    const now = await currentTime(this.#store)
    const live = await scoresOf(this.#store, queueKeys(queue).log, `(${now - this.#windowMs}`)
    return live.map(({ score }) => score + this.#windowMs - now)
  }

  /**
   * Reports these creations to a Redis that may have lost them. `ageMs` is the time since the
   * latest possible arrival at the service, negative while in flight.
   * @returns the tokens whose outcome Redis does not know, for the caller to settle again
   */
  async reseed(queue: string, own: readonly { job: Job; token: string; ageMs: number }[]) {
    const now = await currentTime(this.#store)
    const slots = own.map(({ job, ageMs }) => ({ slot: slotOf(job), at: Math.ceil(now - ageMs) }))
    // Lowers them, too: they lie ahead if Redis's clock was set back.
    await this.#count(queue, slots)
    const unsettled: string[] = []
    for (const { job, token } of own) {
      const sent = { job: job.id, token, round: currentRound(job).id }
      await this.#remember(queue, sent, this.#limits.creationDeadlineMs)
      const found = await this.#jobs.find(job.id)
      if (found?.job.state === "creating" && found.job.grant === token) unsettled.push(token)
    }
    return unsettled
  }

  now(): Promise<number> {
    return currentTime(this.#store)
  }

  /**
   * Tells a Redis what earlier processes sent and it may have forgotten: counts it in the hour, and
   * keeps a request that waits again from being sent a second time. Its outcome is unknown.
   */
  async restore(sent: readonly Sent[]): Promise<void> {
    const now = await currentTime(this.#store)
    for (const queue of new Set(sent.map((one) => one.queue))) {
      const own = sent.filter((one) => one.queue === queue)
      const slots = own.filter(({ at }) => at + this.#windowMs > now)
      await this.#count(queue, slots, "NX")
      const waiting = new Set(await this.#store.redis.zrange(queueKeys(queue).wait, "0", "-1"))
      for (const { job, round, slot: token } of own.filter((one) => waiting.has(one.job)))
        await this.#remember(queue, { job, token, round }, 0)
    }
  }

  /** Returns 0 if `reserve` would grant a job now, otherwise the wait in ms. */
  async peek(queue: string): Promise<number> {
    return (await this.#tryReserve(queue, "peek", true)).waitMs ?? 0
  }

  async reserve(queue: string, token: string): Promise<Grant | { waitMs: number }> {
    const answer = await this.#tryReserve(queue, token, false)
    if (answer.waitMs !== undefined) return answer
    const { id, hash } = answer
    const job = this.#jobs.jobOf(id, hash)
    if (job) return { job, queue }
    // The bot sent nothing, so it gives the slot back; the record stays for the operator.
    const { creating, log } = queueKeys(queue)
    await this.#store.redis.zrem(creating, id)
    const slot = slotOf({ id, grant: token, turnOf: hash.turnOf ?? "" })
    const months = monthsOf(queue, await currentTime(this.#store))
    for (const counted of [log, ...months]) await this.#store.redis.zrem(counted, slot)
    return { waitMs: SOON_MS }
  }

  /** Records the outcome of a creation, and what it says about the queue. */
  async settle(
    { job, queue }: Pick<Grant, "job" | "queue">,
    token: string,
    outcome: CreationOutcome,
  ): Promise<void> {
    const keyId = this.#limits.keyIdOf(projectOf(queue))
    const isOfKey = outcome.kind === "put_back" && isKeyFault(outcome.reason)
    // Writes the pause first, so that no process is granted the job again before it.
    await this.#health.change(isOfKey ? projectOf(queue) : queue, (latest, now) =>
      pausedBy(latest, outcome, { keyId, lengths: this.#limits.pauses, now }),
    )
    await this.#jobs.change(job.id, ({ job: latest, now }) =>
      settled(latest, { token, outcome, pollMs: this.#limits.firstPollMs, now }),
    )
  }

  /** Ends creations whose process died; their outcome is unknown. */
  async sweep(queue: string): Promise<number> {
    const { creating } = queueKeys(queue)
    const now = await currentTime(this.#store)
    let ended = 0
    const overdue = await scoresOf(this.#store, creating, "-inf", now)
    for (const { member: id, score: deadline } of overdue) {
      const lease = { schedule: creating, lease: String(deadline) }
      if (await this.#jobs.change(id, ({ job, now: at }) => abandoned(job, { now: at }), lease))
        ended += 1
      else if (Number(await this.#store.redis.zscore(creating, id)) === deadline)
        // The record is gone, or another version of the bot settled it and left this entry. The
        // slot stays taken.
        await this.#store.redis.zrem(creating, id)
    }
    return ended
  }

  async #tryReserve(queue: string, token: string, peek: boolean) {
    const own = queueKeys(queue)
    const month = monthKeys(projectOf(queue), monthOf(await currentTime(this.#store)))
    const keys = {
      ...own,
      month: month.sent,
      monthExtra: month.extra,
      projectPause: queueKeys(projectOf(queue)).pause,
      grant: grantKey(token),
      epoch: EPOCH,
      busy: BUSY,
      outbox: jobKeys.schedule("outbox"),
    }
    const answer = await reserve(this.#store, keys, {
      token,
      peek: peek ? "1" : "",
      monthCap: this.#limits.jobsPerMonth,
      monthMs: MONTH_KEPT_MS,
      allowedMore: ALLOWED_MORE,
      cap: this.#limits.jobsPerHour,
      windowMs: this.#windowMs,
      creationDeadlineMs: this.#limits.creationDeadlineMs,
      reserved: this.#limits.reservedSlots,
      light: LIGHT_USER_CREATIONS,
      coldMs: this.#limits.coldMs,
      heldMs: this.#limits.heldMs,
      recordPrefix: jobKeys.record(""),
      waitingPrefix: own.waitingPrefix,
      queue,
      keyId: this.#limits.keyIdOf(projectOf(queue)),
    })
    if (answer[0] === "go") return { id: answer[1], hash: answer[2] }
    return { waitMs: answer[0] === "empty" ? Number.POSITIVE_INFINITY : answer[1] }
  }

  /** Counts creations in the hour and in their month. @param known `NX` keeps what is there */
  async #count(queue: string, slots: readonly { slot: string; at: number }[], ...known: "NX"[]) {
    const { redis } = this.#store
    const { log } = queueKeys(queue)
    for (const { slot, at } of slots) {
      await redis.zadd(log, ...known, at, slot)
      if (this.#limits.jobsPerMonth === 0) continue
      const { sent } = monthKeys(projectOf(queue), monthOf(at))
      await redis.multi().zadd(sent, "NX", at, slot).pexpire(sent, MONTH_KEPT_MS).exec()
    }
    await redis.pexpire(log, this.#windowMs + this.#limits.creationDeadlineMs)
  }

  /** Takes a request out of its queue whose creation Redis forgot; `sweep` ends it after `inMs`. */
  async #remember(
    queue: string,
    sent: { job: string; token: string; round: string },
    inMs: number,
  ) {
    const { creating } = queueKeys(queue)
    const ops = [{ do: "due", key: creating, member: sent.job, inMs } as const]
    await this.#jobs.change(sent.job, ({ job }) => {
      const change = remembered(job, sent)
      return change && { ...change, ops }
    })
  }
}
