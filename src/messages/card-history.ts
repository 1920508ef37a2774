import type { Job } from "../jobs/job.ts"
import {
  currentAsks,
  currentRound,
  endingOf,
  firstAsk,
  isUpdate,
  joinedAsks,
  rerunBy,
} from "../jobs/rounds.ts"
import { mention, mentions } from "./mrkdwn.ts"

/** Maximum lines about earlier rounds on a card, which shows the newest. */
const MAX_LINES = 5

/** Writes a card's history: a line for each earlier follow-up and retry, oldest first. */
export function historyLines(job: Job): string[] {
  const past = job.rounds.slice(1, -1).map((_, n): Job => asOf(job, n + 2))
  const lines = past.filter((then, n) => !isRepeated(then, past[n + 1] ?? job)).map(roundLine)
  return lines.filter((line) => line !== "").slice(-MAX_LINES)
}

/** Returns the job as it was once a round had ended. @param count of rounds until then */
function asOf(job: Job, count: number): Job {
  return { ...job, state: "ended", waiting: [], rounds: job.rounds.slice(0, count) }
}

/** Returns whether the next round replaces this one's line: retries in a row are one line. */
function isRepeated(then: Job, next: Job): boolean {
  if (rerunBy(then)) return rerunBy(next) !== undefined
  return currentRound(next).again?.how === "look"
}

/** Writes what the current round is and who asked for it: "Updated · asked by @Ben". */
export function roundLine(job: Job): string {
  const asked = askedBy(job)
  return asked && `${nameOf(job)} · ${asked}`
}

/** Writes who asked for the current round: "asked by @Ben and @Cleo"; "" for a first request. */
export function askedBy(job: Job): string {
  const rerunner = rerunBy(job)
  if (rerunner) return `asked by ${mention(rerunner)}`
  const users = addedAsks(job).map(({ user }) => user)
  return users.length === 0 ? "" : `asked by ${mentions([...new Set(users)].slice(0, 3))}`
}

/** Returns the requests of the round that the card shows nowhere else. */
function addedAsks(job: Job) {
  const elsewhere = [firstAsk(job), ...joinedAsks(job)].map((ask) => ask?.id)
  return currentAsks(job).filter(({ id }) => !elsewhere.includes(id))
}

function nameOf(job: Job): string {
  if (rerunBy(job)) return "Run again"
  const isReview = addedAsks(job).every(({ kind }) => kind === "review")
  if (!isUpdate(job)) return isReview ? "Review" : "Follow-up"
  if (job.state === "active") return isReview ? "Addressing the review" : "Updating"
  if (endingOf(job) === "pull_request") return isReview ? "Review addressed" : "Updated"
  return isReview ? "Review" : "Update"
}
