import { isOver, type Job } from "../jobs/job.ts"
import { currentRound, endingOf } from "../jobs/rounds.ts"
import { safeUrl } from "./pull-request.ts"

/** Groups of the list of requests, in the order in which people see them. */
export const GROUPS = ["Needs you", "Waiting for review", "Working", "Ready", "Done"] as const
export type Group = (typeof GROUPS)[number]

/**
 * Picks a request's group. *Ready* has pull requests of which the bot knows no state: GitHub has not
 * been asked since the latest round, or there is no `GITHUB_TOKEN`. Pure.
 */
export function groupOf(job: Job, isStale: boolean): Group {
  const ending = endingOf(job)
  if (!ending) return "Working"
  const { pull, prLink } = job
  if (isOver(pull?.state)) return "Done"
  const isOpened = ending === "pull_request" || safeUrl(prLink) !== undefined
  if (!isOpened) return "Done"
  if (pull?.state === undefined || (pull.lookedAt ?? -1) < pull.since) return "Ready"
  return isStale || awaitsChanges(job) ? "Needs you" : "Waiting for review"
}

/**
 * Returns whether reviewers still wait for changes. GitHub goes on saying that changes are requested
 * until a reviewer looks again, so a later round counts as the answer to what was announced before.
 */
export function awaitsChanges(job: Pick<Job, "pull" | "rounds">): boolean {
  const { state, review } = job.pull ?? {}
  if (state !== "changes_requested") return false
  return !review || (review.state !== "addressed" && review.round === currentRound(job).id)
}
