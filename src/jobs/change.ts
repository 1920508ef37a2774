import type { Ending, Job } from "./job.ts"

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

const DAY_MS = 86_400_000
/** Time in ms for which ended jobs and their text stay, for *Run again* and `status`. */
const KEEP_MS = 7 * DAY_MS
/** Time in ms after a round for which its pull request is followed and its thread finds the job. */
export const FOLLOWED_MS = 30 * DAY_MS
/** Time in ms for which the text of cancelled requests stays, for *Run again*. */
const CANCELLED_MS = 3_600_000

/** Returns for how long to keep the record and its text once its state or pull request changed. */
export function keptFor(before: Job, { state, pull, ending }: Job) {
  if (before.state === state && before.pull?.since === pull?.since) return {}
  if (state !== "ended") return { keepMs: "ever", wordsMs: "ever" } as const
  // A closed one is still followed, because somebody may reopen it.
  const keepMs = pull && pull.state !== "merged" ? FOLLOWED_MS + DAY_MS : KEEP_MS
  return { keepMs, wordsMs: ending === "cancelled" ? CANCELLED_MS : KEEP_MS }
}
