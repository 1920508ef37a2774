import { DAY_MS, HOUR_MS } from "../lib/time.ts"
import type { Job } from "./job.ts"
import { endingOf } from "./rounds.ts"

/** Time in ms for which ended jobs and their text stay, for *Run again* and `status`. */
const KEEP_MS = 7 * DAY_MS
/** Time in ms after a round for which its pull request is followed and its thread finds the job. */
export const FOLLOWED_MS = 30 * DAY_MS
/** Time in ms for which the text of cancelled requests stays, for *Run again*. */
export const CANCELLED_MS = HOUR_MS

/** Returns for how long to keep the record and its text once its state or pull request changed. */
export function keptFor(before: Job, job: Job) {
  const { state, pull } = job
  if (before.state === state && before.pull?.since === pull?.since) return undefined
  if (state !== "ended") return { keepMs: "ever", wordsMs: "ever" } as const
  // A closed one is still followed, because somebody may reopen it.
  const keepMs = pull && pull.state !== "merged" ? FOLLOWED_MS + DAY_MS : KEEP_MS
  return { keepMs, wordsMs: endingOf(job) === "cancelled" ? CANCELLED_MS : KEEP_MS }
}
