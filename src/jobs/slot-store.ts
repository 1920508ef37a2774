import { type PauseLengths, WINDOW_MS } from "../config/timing.ts"
import { currentTime } from "../store/clock.ts"
import { beginWait, reserve } from "../store/reserve.ts"
import type { Store } from "../store/script.ts"
import { type Job, toJob } from "./job.ts"
import type { JobStore, OnBroken } from "./job-store.ts"
import { BUSY, EPOCH, grantKey, jobKeys, queueKeys, slotOf } from "./keys.ts"
import type { CreationOutcome } from "./outcome.ts"
import { type HealthStore, isKeyFault, pausedBy } from "./pause.ts"
import { toWords, type Words } from "./prompt.ts"
import { isMessages, projectOf } from "./queues.ts"
import type { Started } from "./started-files.ts"
import { abandoned, remembered, settled } from "./transitions.ts"

/** The number of creations in the hour below which a person gets the last slots of it. */
export const LIGHT_USER_CREATIONS = 5
/** The wait for another try after a record that could not be read, ms. */
const SOON_MS = 250
/** The gap between two checks whether the project's key is accepted again, ms. */
const HELD_MS = 5_000

/** A grant to create one job: the slot is taken. */
export interface Grant {
  job: Job
  words: Words
  /** The queue whose rolling hour the slot counts in; see `queues.ts`. */
  queue: string
}

interface SlotLimits {
  jobsPerHour: number
  reservedSlots: number
  /** Longest time a creation may be on its way, ms: the slot is stamped that far ahead. */
  creationMs: number
  /** Wait before the first grant of a Redis without data, ms: living processes report first. */
  coldMs: number
  /** A request whose card is on its way keeps later rounds of the fair order for so long, ms. */
  heldMs: number
  windowMs?: number
  pauses: PauseLengths
  /** Tells one key of a project from another. */
  printOf: (project: string) => string
  onBroken: OnBroken
}

export type SlotStore = ReturnType<typeof createSlotStore>

/** The rolling hour of each queue in Redis. */
export function createSlotStore(
  store: Store,
  jobs: JobStore,
  health: HealthStore,
  limits: SlotLimits,
) {
  const { redis } = store
  const windowMs = limits.windowMs ?? WINDOW_MS

  async function ask(queue: string, token: string, peek: boolean) {
    const own = { ...queueKeys(queue), grant: grantKey(token), epoch: EPOCH, busy: BUSY }
    const keys = { ...own, outbox: jobKeys.schedule("outbox") }
    const answer = await reserve(store, keys, {
      token,
      peek: peek ? "1" : "",
      cap: limits.jobsPerHour,
      windowMs,
      creationMs: limits.creationMs,
      reserved: limits.reservedSlots,
      light: LIGHT_USER_CREATIONS,
      coldMs: limits.coldMs,
      heldMs: limits.heldMs,
      recordPrefix: jobKeys.record(""),
      textPrefix: jobKeys.words(""),
      waitingPrefix: own.waitingPrefix,
      queue,
      print: limits.printOf(projectOf(queue)),
    })
    if (answer[0] === "go") return { id: answer[1], hash: answer[2], text: answer[3] }
    return { waitMs: answer[0] === "empty" ? Number.POSITIVE_INFINITY : answer[1] }
  }

  /** Do messages wait with the jobs of a project whose key is refused? */
  async function isHeld(queue: string): Promise<boolean> {
    const project = projectOf(queue)
    if (!isMessages(queue)) return false
    const { health: is } = await health.read(project)
    return is.until === "ever" && is.print === limits.printOf(project)
  }

  /**
   * Gives the slot of one creation back, whoever's it was: of a creation whose record is gone the log alone
   * says for whom it was.
   */
  async function giveSlotBack(queue: string, id: string): Promise<void> {
    const { creating, log } = queueKeys(queue)
    await redis.zrem(creating, id)
    const members = await redis.zrange(log, "0", "-1")
    const member = members.findLast((one) => one.startsWith(`${id}:`))
    if (member !== undefined) await redis.zrem(log, member)
  }

  async function settle(
    { job, queue }: Pick<Grant, "job" | "queue">,
    token: string,
    outcome: CreationOutcome,
    pollMs: number,
  ): Promise<void> {
    const print = limits.printOf(projectOf(queue))
    const isOfKey = outcome.kind === "put_back" && isKeyFault(outcome.reason)
    // The pause first: what is put back must not be granted again before it.
    await health.change(isOfKey ? projectOf(queue) : queue, (is, now) =>
      pausedBy(is, outcome, { print, lengths: limits.pauses, now }),
    )
    const written = await jobs.change(job.id, ({ job: is, now }) =>
      settled(is, { token, outcome, pollMs, now }),
    )
    const hadEffect = outcome.kind === "created" || outcome.kind === "unknown"
    if (!written && !hadEffect && !(await jobs.find(job.id))) await giveSlotBack(queue, job.id)
  }

  return {
    /**
     * Begins the while in which a Redis that may have forgotten something grants nothing. Resolves to what
     * tells this Redis, with what it holds, from another or an emptied one.
     */
    beginWait: () => beginWait(store, { epoch: EPOCH }, { coldMs: limits.coldMs }),

    /** The time for which each creation of the rolling hour still counts, ms. */
    async live(queue: string): Promise<number[]> {
      const [flat, now] = await Promise.all([
        redis.zrange(queueKeys(queue).log, "0", "-1", "WITHSCORES"),
        currentTime(store),
      ])
      const left = flat.flatMap((at, n) => (n % 2 === 1 ? Number(at) + windowMs - now : []))
      return left.filter((ms) => ms > 0)
    },

    /**
     * Tells a Redis that may have lost them of these creations: their jobs, and the time since the latest
     * moment each can have arrived at the service, ms, negative while in flight. Resolves to the tokens of those
     * that are in flight for it, or that it took for waiting: what came of them must be settled again.
     */
    async reseed(
      queue: string,
      own: readonly { job: Job; token: string; ageMs: number }[],
    ): Promise<string[]> {
      if (own.length === 0) return []
      const { log } = queueKeys(queue)
      const now = await currentTime(store)
      const flat = own.flatMap(({ job, ageMs }) => [Math.ceil(now - ageMs), slotOf(job)])
      await redis.zadd(log, "GT", ...flat)
      await redis.pexpire(log, windowMs + limits.creationMs)
      const inHandMs = limits.creationMs
      const unsettled: string[] = []
      for (const { job, token } of own) {
        const { round } = job
        await jobs.change(job.id, ({ job: is }) => remembered(is, { token, round, inHandMs }))
        const found = await jobs.find(job.id)
        if (found?.job.state === "creating" && found.job.grant === token) unsettled.push(token)
      }
      return unsettled
    },

    /** Redis' clock, ms. */
    now: () => currentTime(store),

    /** Counts what was started before, also by processes that are gone, where Redis forgot it. */
    async restore(started: readonly Started[]): Promise<void> {
      for (const { queue, slot, at = 0 } of started) {
        const { log } = queueKeys(queue)
        await redis.zadd(log, "GT", at, slot)
        await redis.pexpire(log, windowMs + limits.creationMs)
      }
    },

    /** Asks what `reserve` would do now: 0 = something can start, else ms to wait. */
    async peek(queue: string): Promise<number> {
      if (await isHeld(queue)) return HELD_MS
      const answer = await ask(queue, "peek", true)
      return answer.waitMs ?? 0
    },

    async reserve(queue: string, token: string): Promise<Grant | { waitMs: number }> {
      const answer = await ask(queue, token, false)
      if (answer.waitMs !== undefined) return answer
      const { id, hash, text } = answer
      try {
        // No words are left where all who asked were forgotten.
        return { job: toJob(id, hash), words: text === "" ? {} : toWords(id, text), queue }
      } catch (error) {
        // Nothing was sent, so the slot is given back; the record stays for whoever looks at it.
        limits.onBroken(jobKeys.record(id), error)
        await giveSlotBack(queue, id)
        return { waitMs: SOON_MS }
      }
    },

    settle,

    /** Ends creations whose process died: their outcome is unknown. Returns how many. */
    async sweep(queue: string): Promise<number> {
      const { creating } = queueKeys(queue)
      const now = await currentTime(store)
      const overdue = await redis.zrangebyscore(creating, "-inf", now, "WITHSCORES")
      let ended = 0
      for (let n = 0; n + 1 < overdue.length; n += 2) {
        const [id = "", deadline = ""] = [overdue[n], overdue[n + 1]]
        const written = await jobs.change(id, ({ job, now: at }) => abandoned(job, { now: at }), {
          schedule: creating,
          lease: deadline,
        })
        if (written) ended += 1
        else if (Number(await redis.zscore(creating, id)) === Number(deadline))
          // Its record is gone, or was settled by a version that left it here: the slot stays.
          await redis.zrem(creating, id)
      }
      return ended
    },
  }
}
