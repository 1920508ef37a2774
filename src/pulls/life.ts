import type { PullState } from "../jobs/job.ts"
import type { PullFacts } from "../ports/github.ts"

/** A pull request is followed at most so long after its latest job, ms. */
export const LONGEST_MS = 30 * 86_400_000

export interface PollIntervals {
  soonestMs: number
  longestMs: number
}

/** Waits grow by this share of the age, as those of polls do: who waited long can wait longer. */
const SHARE_OF_AGE = 0.03

/** Until the next poll of a pull request that did not change for so long, ms. Pure. */
export function untilNextPoll(quietMs: number, { soonestMs, longestMs }: PollIntervals): number {
  return Math.min(Math.max(soonestMs, quietMs * SHARE_OF_AGE), longestMs)
}

/** What people see of it. Pure. */
export function stateOf({ phase, verdict }: PullFacts): PullState {
  return phase !== "open" || verdict === "none" ? phase : verdict
}

/** When somebody last did something about it, ms. */
export function touchedAt({ updatedAt, reviewedAt }: PullFacts): number {
  return Math.max(updatedAt, reviewedAt)
}
