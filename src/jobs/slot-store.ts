import { type PauseLengths, WINDOW_MS } from "../config/timing.ts"
import { currentTime } from "../store/clock.ts"
import { beginWait, giveSlotBack, remember, reserve } from "../store/reserve.ts"
import type { Store } from "../store/script.ts"
import { type Job, toJob } from "./job.ts"
import type { JobStore, OnBroken } from "./job-store.ts"
import { BUSY, EPOCH, grantKey, jobKeys, queueKeys } from "./keys.ts"
import type { CreationOutcome, PauseReason } from "./outcome.ts"
import { accepted, type HealthStore, keyRefused, rested } from "./pause.ts"
import { toWords, type Words } from "./prompt.ts"
import { isMessages, projectOf } from "./queues.ts"
import { abandoned, remembered, settled } from "./transitions.ts"

/** People with fewer creations in the hour than this get the last slots of it. */
export const LIGHT_USER_CREATIONS = 5
/** Until another try after a record that could not be read, ms. */
const SOON_MS = 250
/** Between two looks whether the key of the project is taken again, ms. */
const HELD_MS = 5_000

/** A grant to create one job: the slot is taken. */
export interface Grant {
  job: Job
  words: Words
  /** The queue whose rolling hour the slot counts in; see `queues.ts`. */
  queue: string
}

/** One creation as the process knows it that started it. */
export interface OwnCreation {
  job: Job
  token: string
  /** Absent while it is in flight. */
  outcome: CreationOutcome | undefined
  /** Since the latest moment it can have arrived at the service, ms; negative while in flight. */
  ageMs: number
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
  const windowMs = limits.windowMs ?? WINDOW_MS

  function ask(queue: string, token: string, peek: boolean) {
    const own = { ...queueKeys(queue), grant: grantKey(token), epoch: EPOCH, busy: BUSY }
    const keys = { ...own, outbox: jobKeys.schedule("outbox") }
    return reserve(store, keys, {
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
  }

  /** Until when messages wait with the jobs of a project whose key is refused, ms. */
  async function heldFor(queue: string): Promise<number> {
    if (!isMessages(queue)) return 0
    const project = projectOf(queue)
    const { health: is } = await health.read(project)
    return is.until === "ever" && is.print === limits.printOf(project) ? HELD_MS : 0
  }

  async function settle(
    { job, queue }: Pick<Grant, "job" | "queue">,
    token: string,
    outcome: CreationOutcome,
    pollMs: number,
  ): Promise<void> {
    // The pause first: what is put back must not be granted again before it.
    await pauseAfter(queue, outcome)
    const written = await jobs.change(job.id, ({ job: is, now }) =>
      settled(is, { token, outcome, pollMs, now }),
    )
    if (written === undefined && outcome.kind !== "created" && outcome.kind !== "unknown") {
      const is = await jobs.find(job.id)
      if (!is) await giveSlotBack(store, queueKeys(queue), { id: job.id })
    }
  }

  async function pauseAfter(queue: string, outcome: CreationOutcome): Promise<void> {
    const print = limits.printOf(projectOf(queue))
    if (outcome.kind === "created") {
      await health.change(queue, (is) => (isPristine(is, print) ? undefined : accepted(is, print)))
      return
    }
    const reason =
      outcome.kind === "unknown"
        ? "outage"
        : outcome.kind === "put_back"
          ? outcome.reason
          : undefined
    if (reason === undefined) return
    const pauseMs = outcome.kind === "put_back" ? outcome.pauseMs : undefined
    if (isKeyFault(reason)) {
      await health.change(projectOf(queue), (is, now) =>
        keyRefused(is, { reason, print, byRead: false, now }),
      )
      return
    }
    await health.change(queue, (is, now) =>
      rested(is, { reason, print, pauseMs, lengths: limits.pauses, now }),
    )
  }

  return {
    /** Begins the while in which a Redis that may have forgotten something grants nothing. */
    async beginWait(): Promise<void> {
      await beginWait(store, { epoch: EPOCH }, { coldMs: limits.coldMs })
    },

    /** How long each creation of the rolling hour still counts, ms. */
    async live(queue: string): Promise<number[]> {
      const [flat, now] = await Promise.all([
        store.redis.zrange(queueKeys(queue).log, "0", "-1", "WITHSCORES"),
        currentTime(store),
      ])
      return flat.flatMap((at, n) =>
        n % 2 === 1 && Number(at) > now - windowMs ? Number(at) + windowMs - now : [],
      )
    },

    /**
     * Tells a Redis that may have lost them of these creations. Resolves to the ids of jobs that are
     * in flight for it, or that it took for waiting: what came of them must be settled again.
     */
    async reseed(queue: string, own: readonly OwnCreation[]): Promise<string[]> {
      if (own.length === 0) return []
      const flat = own.flatMap(({ job, ageMs }) => [`${job.id} ${job.turnOf}`, ageMs])
      await remember(store, queueKeys(queue), { keepMs: windowMs + limits.creationMs }, flat)
      const inHandMs = limits.creationMs
      const unsettled: string[] = []
      for (const { job, token } of own) {
        await jobs.change(job.id, ({ job: is }) => remembered(is, { token, inHandMs }))
        const found = await jobs.find(job.id)
        if (found?.job.state === "creating" && found.job.grant === token) unsettled.push(job.id)
      }
      return unsettled
    },

    /** Asks what `reserve` would do now: 0 = something can start, else ms to wait. */
    async peek(queue: string): Promise<number> {
      const heldMs = await heldFor(queue)
      if (heldMs > 0) return heldMs
      const [outcome, value] = await ask(queue, "peek", true)
      if (outcome === "go") return 0
      return outcome === "empty" ? Number.POSITIVE_INFINITY : Number(value)
    },

    async reserve(queue: string, token: string): Promise<Grant | { waitMs: number }> {
      const answer = await ask(queue, token, false)
      if (answer[0] !== "go")
        return { waitMs: answer[0] === "empty" ? Number.POSITIVE_INFINITY : answer[1] }
      const [, id, hash, text] = answer
      try {
        return { job: toJob(id, hash), words: toWords(id, text), queue }
      } catch (error) {
        // Nothing was sent, so the slot is given back; the record stays for whoever looks at it.
        limits.onBroken(jobKeys.record(id), error)
        await giveSlotBack(store, queueKeys(queue), { id })
        return { waitMs: SOON_MS }
      }
    },

    settle,

    /** Ends creations whose process died: their outcome is unknown. Returns how many. */
    async sweep(queue: string): Promise<number> {
      const { creating } = queueKeys(queue)
      const now = await currentTime(store)
      const overdue = await store.redis.zrangebyscore(creating, "-inf", now, "WITHSCORES")
      let ended = 0
      for (let n = 0; n + 1 < overdue.length; n += 2) {
        const [id = "", deadline = ""] = [overdue[n], overdue[n + 1]]
        const written = await jobs.change(id, ({ job, now: at }) => abandoned(job, { now: at }), {
          schedule: creating,
          lease: deadline,
        })
        if (written) ended += 1
        else if (Number(await store.redis.zscore(creating, id)) === Number(deadline))
          // Its record is gone, or was settled by a version that left it here: the slot stays.
          await store.redis.zrem(creating, id)
      }
      return ended
    },
  }
}

function isPristine(
  {
    reason,
    suspect,
    tries,
    fine,
  }: { reason?: unknown; suspect?: unknown; tries: number; fine?: string },
  print: string,
): boolean {
  return reason === undefined && suspect === undefined && tries === 0 && (fine ?? print) === print
}

function isKeyFault(reason: PauseReason): reason is "key_refused" | "forbidden" {
  return reason === "key_refused" || reason === "forbidden"
}
