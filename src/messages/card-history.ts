import type { Job } from "../jobs/job.ts"
import {
  currentAsks,
  currentRound,
  earlierRounds,
  endingOf,
  firstAsk,
  isUpdate,
  joinedAsks,
  rerunBy,
} from "../jobs/rounds.ts"
import { mentions } from "./mrkdwn.ts"

/** Maximum lines about earlier rounds on a card, which shows the newest. */
const MAX_LINES = 5

/** Writes a card's history: a line for each earlier follow-up and retry, oldest first. */
export function historyLines(job: Job): string[] {
  const past = job.rounds.slice(1, -1).map((_, n): Job => asOf(job, n + 2))
  const lines = past.filter((then, n) => !isRepeated(then, past[n + 1] ?? job)).flatMap(roundLines)
  return lines.slice(-MAX_LINES)
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

/** Writes what the current round is and who asked for it, such as "Updated · asked by @Ben". */
export function roundLines(job: Job): string[] {
  const added = addedAsks(job).map(({ user }) => user)
  const rerun = [rerunBy(job)].flatMap((user) => (user ? `Run again · ${askedWords([user])}` : []))
  return added.length === 0 ? rerun : [...rerun, `${nameOf(job)} · ${askedWords(added)}`]
}

/** Writes who asked for the current round: "asked by @Ben and @Cleo"; "" for a first request. */
export function askedBy(job: Job): string {
  const added = addedAsks(job).map(({ user }) => user)
  return askedWords([rerunBy(job) ?? [], added].flat())
}

function askedWords(users: readonly string[]): string {
  return users.length === 0 ? "" : `asked by ${mentions([...new Set(users)].slice(0, 3))}`
}

/** Returns the requests of the round that neither the card nor its history shows elsewhere. */
function addedAsks(job: Job) {
  const run = rerunBy(job) && earlierRounds(job).findLast(({ again }) => again === undefined)
  const elsewhere = [firstAsk(job), ...joinedAsks(job), ...(run ? run.asks : [])]
  return currentAsks(job).filter(({ id }) => !elsewhere.some((ask) => ask?.id === id))
}

function nameOf(job: Job): string {
  const isReview = addedAsks(job).every(({ kind }) => kind === "review")
  if (!isUpdate(job)) return isReview ? "Review" : "Follow-up"
  if (job.state === "active") return isReview ? "Addressing the review" : "Updating"
  if (endingOf(job) === "pull_request") return isReview ? "Review addressed" : "Updated"
  return isReview ? "Review" : "Update"
}
