import { defined } from "../runtime/defined.ts"
import { retryOf } from "./asks.ts"
import { currentAsks, type Ending, isOver, type Job } from "./job.ts"

/** Kinds of work that a job can be scheduled for, each a loop of the worker. */
export const kinds = ["outbox", "polls", "pulls", "previews", "sessions", "reminders"] as const
export type Kind = (typeof kinds)[number]

export interface Change {
  set?: Fields
  due?: Partial<Record<Kind, number>>
  /** Effect on the round's slot: freed, or its time set to now because the service has answered. */
  slot?: "back" | "arrived"
  /** Ids of requests whose text is deleted; `withdrawn` says why, if they were never sent. */
  forget?: readonly string[]
  withdrawn?: Ending
}

export type Fields = { [Name in keyof Job]?: Job[Name] | undefined }

const DAY_MS = 86_400_000
/** Time in ms for which ended jobs and their text stay, for *Run again* and `status`. */
const KEEP_MS = 7 * DAY_MS
/** Time in ms after a round for which its pull request is followed and its thread finds the job. */
export const FOLLOWED_MS = 30 * DAY_MS
/** Time in ms for which the text of cancelled requests stays, for *Run again*. */
const CANCELLED_MS = 3_600_000

/** Names of the fields that `applied` derives from the others. */
export const DERIVED = ["user", "turnOf", "mayStartAt"] as const

/** Returns the job after a change, with the fields that follow from the others. */
export function applied(job: Job, { set }: Change, delayMs: number): Job {
  const next = { ...job, ...set, rev: job.rev + 1 } as Job
  const mayStartAt = readyAt(next, delayMs)
  const user = next.asks[0]?.user ?? next.user
  return defined<object>({ ...next, user, turnOf: turnOf(next), mayStartAt }) as Job
}

/** Returns whose turn a queued round uses: of who pressed *Run again*, or else who asked first. */
function turnOf(job: Job): string {
  const [first] = currentAsks(job)
  return job.state === "queued" ? ((retryOf(job) ?? first)?.user ?? job.turnOf) : job.turnOf
}

/**
 * Returns the moment from which the round may start: its card is posted, all its requesters are
 * looked up, and the delay since the card and the last request is over. Undefined until then.
 */
function readyAt(job: Job, delayMs: number): number | undefined {
  const asks = currentAsks(job)
  const isReady = job.card !== undefined && asks.every(({ isPrepared }) => isPrepared)
  if (job.state !== "queued" || !isReady) return undefined
  return Math.max(job.cardAt ?? 0, retryOf(job)?.at ?? 0, ...asks.map(({ at }) => at)) + delayMs
}

/** Returns for how long to keep the record and its text once its state or pull request changed. */
export function keptFor(before: Job, { state, pull, ending }: Job) {
  if (before.state === state && before.pull?.since === pull?.since) return {}
  if (state !== "ended") return { keepMs: "ever", wordsMs: "ever" } as const
  const keepMs = pull && !isOver(pull.state) ? FOLLOWED_MS + DAY_MS : KEEP_MS
  return { keepMs, wordsMs: ending === "cancelled" ? CANCELLED_MS : KEEP_MS }
}
