import type { Job } from "../jobs/job.ts"
import {
  BUSY,
  EPOCH,
  grantKey,
  jobKeys,
  monthKeys,
  monthOf,
  monthsOf,
  projectOf,
  queueKeys,
  slotOf,
} from "../jobs/job-keys.ts"
import type { JobStore } from "../jobs/job-store.ts"
import { type HealthStore, isKeyFault } from "../jobs/pause-record.ts"
import { type AttemptOutcome, abandoned, remembered, settled } from "../jobs/send-round.ts"
import { MONTH_KEPT_MS } from "../lib/time.ts"
import { SOON_MS } from "../store/fair-order.ts"
import {
  beginWait,
  type GrantFacts,
  type GrantLimits,
  grantSlot,
  readHour,
} from "../store/grant-slot.ts"
import { scoresOf } from "../store/schedule-and-leases.ts"
import { currentTime, type Store } from "../store/script.ts"
import type { Sent } from "./memory-outside-redis.ts"
import { readMonth } from "./month-budget.ts"
import { type PauseLengths, pausedBy, pauseFacts } from "./pauses.ts"

/** Permission for one attempt, with a slot taken. The job's `grant` is its token. */
export interface Grant {
  job: Job
  queue: string
  /** Time of the grant by Redis's clock. */
  at: number
}

/** Attempt that was sent; `own` if by this process, with the outcome once there is one. */
export interface Reported extends Sent {
  own?: { outcome: AttemptOutcome | undefined }
}

interface SlotLimits extends GrantLimits {
  jobsPerMonth: number
  pauses: PauseLengths
  firstPollMs: number
  keyIdOf: (project: string) => string
}

/** Slots of the rolling hour in Redis, which decides what may start. */
export class SlotStore {
  readonly #store: Store
  readonly #jobs: JobStore
  readonly #health: HealthStore
  readonly limits: SlotLimits

  constructor(store: Store, jobs: JobStore, health: HealthStore, limits: SlotLimits) {
    this.#store = store
    this.#jobs = jobs
    this.#health = health
    this.limits = limits
  }

  /** Makes a Redis that may have lost data wait for reports. Each such wait has its own id. */
  beginWait() {
    return beginWait(this.#store, { epoch: EPOCH }, { coldMs: this.limits.coldMs })
  }

  /** Makes Redis wait for reports as if it had lost its data. */
  async waitAgain(): Promise<void> {
    await this.#store.redis.del(EPOCH)
  }

  async live(queue: string): Promise<number[]> {
    const { windowMs } = this.limits
    const [now, slots] = await readHour(this.#store, queueKeys(queue), { windowMs })
    return slots.map((at) => at + windowMs - now)
  }

  /**
   * Tells a Redis what was sent and it may have forgotten: counts it in the hour, and keeps a
   * request that waits again from being sent a second time. Settles again what this process knows
   * the outcome of. `sweep` ends the rest, unless its own process reports in time.
   */
  async report(sent: readonly Reported[]): Promise<void> {
    const now = await currentTime(this.#store)
    for (const queue of new Set(sent.map((attempt) => attempt.queue))) {
      const all = sent.filter((attempt) => attempt.queue === queue)
      await this.#count(
        queue,
        all.filter(({ at }) => at + this.limits.windowMs > now),
      )
      const waiting = new Set(await this.#store.redis.zrange(queueKeys(queue).wait, "0", "-1"))
      for (const attempt of all) {
        if (waiting.has(attempt.job)) await this.#remember(attempt, now)
        if (attempt.own?.outcome) await this.#settleAgain(attempt, attempt.own.outcome)
      }
    }
  }

  /** Returns 0 if a job would be granted now, otherwise the wait in ms. */
  async peek(queue: string): Promise<number> {
    const [verdict, waitMs] = await this.#ask(queue, "")
    return verdict === "wait" ? waitMs : 0
  }

  /** Grants the queue's next job, or returns the wait in ms. The same token gets the same grant. */
  async grant(queue: string, token: string): Promise<Grant | { waitMs: number }> {
    const answer = await this.#ask(queue, token)
    if (answer[0] === "wait") return { waitMs: answer[1] }
    const [, at, id, hash] = answer
    const job = this.#jobs.jobOf(id, hash)
    if (job) return { job, queue, at }
    // The bot sent nothing, so it gives the slot back; the record stays for the operator.
    const { creating, log } = queueKeys(queue)
    await this.#store.redis.zrem(creating, id)
    const slot = slotOf({ id, grant: token, turnOf: hash.turnOf ?? "" })
    const months = monthsOf(queue, at)
    for (const counted of [log, ...months]) await this.#store.redis.zrem(counted, slot)
    return { waitMs: SOON_MS }
  }

  /** Records the outcome of an attempt, and what it says about the queue. */
  async settle(
    { job, queue }: { job: Pick<Job, "id">; queue: string },
    token: string,
    outcome: AttemptOutcome,
  ): Promise<void> {
    const keyId = this.limits.keyIdOf(projectOf(queue))
    const isOfKey = outcome.kind === "put_back" && isKeyFault(outcome.reason)
    // Writes the pause first, so that no process is granted the job again before it.
    await this.#health.change(isOfKey ? projectOf(queue) : queue, (latest, now) =>
      pausedBy(latest, outcome, { keyId, lengths: this.limits.pauses, now }),
    )
    await this.#jobs.change(job.id, ({ job: latest, now }) =>
      settled(latest, { token, outcome, pollMs: this.limits.firstPollMs, now }),
    )
  }

  /** Ends attempts whose process died; their outcome is unknown. */
  async sweep(queue: string): Promise<number> {
    const { creating } = queueKeys(queue)
    const inFlight = await scoresOf(this.#store, creating)
    if (inFlight.length === 0) return 0
    const now = await currentTime(this.#store)
    let ended = 0
    for (const { member: id, score: deadline } of inFlight) {
      if (deadline > now) continue
      const held = { schedule: creating, lease: String(deadline) }
      const changed = await this.#jobs.change(id, (latest) => abandoned(latest.job, latest), held)
      if (typeof changed === "object") ended += 1
      // Otherwise the record is gone, or another version of the bot settled it and left this entry.
      // The slot stays taken.
      else if (Number(await this.#store.redis.zscore(creating, id)) === deadline)
        await this.#store.redis.zrem(creating, id)
    }
    return ended
  }

  async #ask(queue: string, token: string) {
    const { keyIdOf, jobsPerMonth } = this.limits
    const [own, project] = [queueKeys(queue), projectOf(queue)]
    const [now, ownHealth, month] = await Promise.all([
      currentTime(this.#store),
      this.#health.read(queue),
      readMonth(this.#store, queue, jobsPerMonth),
    ])
    const projectHealth = project === queue ? ownHealth : await this.#health.read(project)
    const keys = {
      ...own,
      month: monthKeys(project, monthOf(now)).sent,
      projectPause: queueKeys(project).pause,
      grant: grantKey(token),
      epoch: EPOCH,
      busy: BUSY,
      outbox: jobKeys.schedule("outbox"),
    }
    const facts: GrantFacts = {
      queue,
      limits: this.limits,
      mostInMonth: month?.most,
      pause: pauseFacts(ownHealth, projectHealth, { keyId: keyIdOf(project), now }),
      prefixes: { record: jobKeys.record(""), waiting: own.waitingPrefix },
    }
    return grantSlot(this.#store, keys, { token, facts: JSON.stringify(facts) })
  }

  /** Counts attempts in the hour and in their month. */
  async #count(queue: string, sent: readonly Reported[]): Promise<void> {
    const { redis } = this.#store
    const { log } = queueKeys(queue)
    for (const { job, token, turnOf, at, own } of sent) {
      const slot = slotOf({ id: job, grant: token, turnOf })
      // Lowers this process's own: they lie ahead if Redis's clock was set back.
      await (own ? redis.zadd(log, at, slot) : redis.zadd(log, "NX", at, slot))
      if (this.limits.jobsPerMonth === 0) continue
      const month = monthKeys(projectOf(queue), monthOf(at))
      await redis.multi().zadd(month.sent, "NX", at, slot).pexpire(month.sent, MONTH_KEPT_MS).exec()
    }
    await redis.pexpire(log, this.limits.windowMs + this.limits.arrivesWithinMs)
  }

  /** Takes a request out of its queue whose attempt Redis forgot. */
  async #remember({ queue, job: id, round, token, at, own }: Reported, now: number) {
    const { creating } = queueKeys(queue)
    // One with an outcome is settled next, before any sweep.
    const inMs = own?.outcome ? this.limits.arrivesWithinMs : Math.max(0, at - now)
    const ops = [{ do: "due", key: creating, member: id, inMs } as const]
    await this.#jobs.change(id, ({ job }) => {
      const change = remembered(job, { token, round })
      return change && { ...change, ops }
    })
  }

  /** Settles an attempt, if Redis does not know its outcome. */
  async #settleAgain({ queue, job: id, token }: Sent, outcome: AttemptOutcome): Promise<void> {
    const latest = await this.#jobs.find(id)
    if (latest?.job.state === "creating" && latest.job.grant === token)
      await this.settle({ job: { id }, queue }, token, outcome)
  }
}
