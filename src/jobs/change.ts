import type { Op, Unless } from "../store/commit.ts"
import type { Job } from "./job.ts"
import type { Prompts } from "./request-text.ts"
import type { Ending } from "./round.ts"
import { endingOf } from "./rounds.ts"

/**
 * Kinds of work that a job can be scheduled for, each a loop of the worker. `pulls` are first looks
 * at a pull request, after a link or follow-up; `watch` are all later ones.
 */
export const kinds = [
  "outbox",
  "polls",
  "pulls",
  "watch",
  "sessions",
  "reminders",
  "results",
] as const
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

export interface Changed<C extends Change = Change> {
  before: Job
  job: Job
  change: C
  now: number
}

/** New job and what is stored with it. */
export interface Creation {
  job: Job
  prompts: Prompts
  /** Delay of its card in ms. */
  inMs: number
  ops: readonly Op[]
}

/**
 * Change to a job, and what the store writes with it: texts of its requests, a new job that takes
 * some of them over, and other operations.
 */
export type Decision = Change & {
  prompts?: Prompts
  creates?: Creation
  ops?: readonly Op[]
  unless?: Unless
}

const DAY_MS = 86_400_000
/** Time in ms for which ended jobs and their text stay, for *Run again* and `status`. */
const KEEP_MS = 7 * DAY_MS
/** Time in ms after a round for which its pull request is followed and its thread finds the job. */
export const FOLLOWED_MS = 30 * DAY_MS
/** Time in ms for which the text of cancelled requests stays, for *Run again*. */
const CANCELLED_MS = 3_600_000

/** Returns for how long to keep the record and its text once its state or pull request changed. */
export function keptFor(before: Job, job: Job) {
  const { state, pull } = job
  if (before.state === state && before.pull?.since === pull?.since) return undefined
  if (state !== "ended") return { keepMs: "ever", wordsMs: "ever" } as const
  // A closed one is still followed, because somebody may reopen it.
  const keepMs = pull && pull.state !== "merged" ? FOLLOWED_MS + DAY_MS : KEEP_MS
  return { keepMs, wordsMs: endingOf(job) === "cancelled" ? CANCELLED_MS : KEEP_MS }
}
