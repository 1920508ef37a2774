import { isDeepStrictEqual } from "node:util"
import { FOLLOWED_MS } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { type Job, type Pull, touchedAt } from "../jobs/job.ts"
import { currentRound } from "../jobs/rounds.ts"
import { defined } from "../lib/json.ts"
import { HOUR_MS } from "../lib/time.ts"
import type { PullFacts } from "./pull-state-and-activity.ts"
import type { PullAnswer } from "./read-pull-request.ts"

type Intervals = Context["settings"]["timing"]["pulls"]
type Followed = Job & { pull: Pull }

/**
 * Delay in ms before the first poll of a pull request, then the limits of the interval. It is at
 * least `eachMs` for each one watched: two requests each 0.7 s are a fifth of GitHub's secondary limit
 * of 900 a minute, and 800 pull requests still have their turn within ten minutes.
 */
export const PULL_INTERVALS: Intervals = {
  firstMs: 5000,
  soonestMs: 20_000,
  longestMs: 4 * HOUR_MS,
  eachMs: 700,
}
/** Interval between polls, as a share of the time since the last activity. */
const SHARE_OF_AGE = 0.03
/**
 * Maximum interval in ms unless the pull request is closed or very many are watched: a review shows
 * within ten minutes.
 */
const OPEN_MS = 9.5 * 60_000
/** Interval in ms while GitHub refuses the token or the repository, which a person has to fix. */
export const REFUSED_MS = HOUR_MS
/** Retry delay in ms after a first poll without an answer; doubles with each failure. */
const AGAIN_MS = 30_000

/**
 * Returns the pull request after a poll and the delay before the next one. Pure. The caller stores
 * the pull request if `isChanged`.
 * @param at `now`: when the bot asked GitHub, in ms; `watched`: number of pull requests that it watches
 */
export function afterPoll(
  job: Followed,
  answer: PullAnswer,
  at: { now: number; watched: number },
  intervals: Intervals,
) {
  const { now } = at
  const before = job.pull
  const pull = afterAnswer(job, answer, now)
  const isRead = answer.kind === "facts" || answer.kind === "unchanged"
  const isFirst = isRead && (before.lookedAt ?? -1) < before.since
  const isSame = isDeepStrictEqual({ ...pull, lookedAt: 0 }, { ...before, lookedAt: 0 })
  const isLast = pull.state === "merged" || now - before.since >= FOLLOWED_MS
  return {
    pull,
    isChanged: isFirst || !isSame,
    againMs: isLast
      ? ("done" as const)
      : waitAfter(answer, { pull, failures: before.failures }, at, intervals),
  }
}

function afterAnswer(job: Followed, answer: PullAnswer, now: number): Pull {
  const { pull } = job
  if (answer.kind === "later") return { ...pull, failures: pull.failures + 1 }
  if (answer.kind === "unchanged") return { ...pull, failures: 0, lookedAt: now }
  if (answer.kind !== "facts") return pull
  const { facts } = answer
  const review = reviewAfter(job, facts.review)
  // Reads a review again that could not be taken up yet.
  const etags = isTakenUp(facts.review, { ...pull, review }) ? answer.etags : undefined
  // A review's words may be those of a comment, which the bot reads only once.
  const words = facts.words ?? (facts.review === pull.review?.id ? pull.words : undefined)
  // An absent fact replaces the known one: GitHub says all that holds now.
  const known = { ...pull, ...facts, words, review, etags, failures: 0, lookedAt: now }
  return defined(known)
}

function isTakenUp(id: PullFacts["review"], pull: Pull) {
  return !id || id === pull.review?.id || isAddressed(pull.addressed, id)
}

function isAddressed(addressed: Pull["addressed"] = [], id: string): boolean {
  return addressed.some(({ review }) => review === id)
}

/**
 * Picks the review to announce in the thread: at most one per round until it is addressed, which
 * may be in another job, only once the round has ended, and never an older one that was addressed
 * as well. Drops a review that was withdrawn before the bot announced it.
 */
function reviewAfter(job: Followed, id: PullFacts["review"]): Pull["review"] {
  const { review: known, addressed } = job.pull
  const round = currentRound(job).id
  if (!id) return known?.state === "due" ? undefined : known
  const isOld = id === known?.id || isAddressed(addressed, id)
  if (job.state !== "ended" || isOld) return known
  const isTold = known?.state === "posted" && known.round === round
  return isTold ? { ...known, id } : { id, state: "due", round }
}

/**
 * Returns the wait before the next poll in ms; doubles it after each poll without an answer.
 * @param failures number of polls without an answer right before this one
 */
function waitAfter(
  answer: PullAnswer,
  { pull, failures }: { pull: Pull; failures: number },
  { now, watched }: { now: number; watched: number },
  intervals: Intervals,
): number {
  if (answer.kind === "refused") return REFUSED_MS
  const openMs = Math.min(OPEN_MS, intervals.longestMs)
  if (answer.kind === "later") {
    const backoffMs = AGAIN_MS * 2 ** Math.min(failures, 10)
    return Math.max(Math.min(backoffMs, openMs), answer.pauseMs ?? 0)
  }
  // A closed one is opened again soon, if at all. An unchanged answer costs nothing of the hour.
  const mostMs = pull.state === "closed" ? intervals.longestMs : openMs
  const quietMs = now - touchedAt(pull)
  const byAgeMs = Math.min(Math.max(intervals.soonestMs, quietMs * SHARE_OF_AGE), mostMs)
  return Math.max(byAgeMs, watched * intervals.eachMs)
}
