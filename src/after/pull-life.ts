import { isDeepStrictEqual } from "node:util"
import type { PullAnswer } from "../github/client.ts"
import type { PullFacts } from "../github/pull.ts"
import type { Job, Pull } from "../jobs/job.ts"
import { FOLLOWED_MS } from "../jobs/transitions.ts"
import { defined } from "../runtime/defined.ts"

export interface PullIntervals {
  soonestMs: number
  /** For a closed one, which may be reopened. */
  longestMs: number
}

/** Waits grow by this share of the time that nothing happened. */
const SHARE_OF_AGE = 0.03
/** An open one is asked about so often at least, ms: a review is noticed within ten minutes. */
const OPEN_MS = 9.5 * 60_000
/** Until another try where the token is refused or may not read, ms. */
const REFUSED_MS = 3_600_000
/** After a try without an answer, ms; doubles. */
const AGAIN_MS = 30_000

/** A look at a pull request, as it is written down. */
export interface Looked {
  pull: Pull
  /** Is there something to write? */
  isChanged: boolean
  /** Do people see it? */
  isNews: boolean
  againMs: number | "done"
}

/**
 * Says what GitHub's answer means for a job's pull request. Pure.
 * @param now when GitHub was asked, ms: what it said then is no news of a round that ended later
 */
export function lookedAt(
  job: Job & { pull: Pull },
  answer: PullAnswer,
  { now, intervals }: { now: number; intervals: PullIntervals },
): Looked {
  const { pull } = job
  const until = (ms: number) => (now - pull.since >= FOLLOWED_MS ? "done" : ms)
  const same = { pull, isChanged: false, isNews: false }
  switch (answer.kind) {
    case "facts": {
      const next = withFacts(job, answer.facts, now)
      const isFirst = pull.lookedAt === undefined || pull.lookedAt < pull.since
      const hasChanged = !isDeepStrictEqual({ ...next, lookedAt: 0 }, { ...pull, lookedAt: 0 })
      const wait = until(waitOf(next, now, intervals))
      return {
        pull: next,
        isChanged: isFirst || hasChanged,
        isNews: isFirst || !isDeepStrictEqual(shown(next), shown(pull)),
        againMs: next.state === "merged" ? "done" : wait,
      }
    }
    case "gone":
      return { ...same, againMs: "done" }
    case "refused":
      return { ...same, againMs: until(REFUSED_MS) }
    case "later": {
      const failures = pull.failures + 1
      const backoff = Math.min(AGAIN_MS * 2 ** Math.min(pull.failures, 10), longestOf(intervals))
      const againMs = until(Math.max(backoff, answer.pauseMs ?? 0))
      return { pull: { ...pull, failures }, isChanged: true, isNews: false, againMs }
    }
  }
}

function withFacts(job: Job & { pull: Pull }, found: PullFacts, now: number): Pull {
  const { review: newest, ...facts } = found
  const { owner, repo, number, since, addressed } = job.pull
  const review = reviewAfter(job, newest)
  const followed = { owner, repo, number, since, failures: 0, lookedAt: now }
  return { ...facts, ...followed, ...defined({ addressed, review }) }
}

function shown({ state, by, title, size, review }: Pull) {
  return { state, by, title, size, review }
}

/**
 * The review that the thread is told of: the first that requests changes once a round is over. Of one
 * that was told, only the id moves on. One that is no longer true before it was told is forgotten.
 */
function reviewAfter(
  { state, round, pull: { review: known } }: Job & { pull: Pull },
  review: PullFacts["review"],
): Pull["review"] {
  if (!review) return known?.state === "due" ? undefined : known
  if (state !== "ended" || review.id === known?.id) return known
  const isTold = known !== undefined && known.state !== "due" && known.round >= round
  if (isTold) return { ...known, id: review.id }
  return { ...defined(review), id: review.id, state: "due", round }
}

/** Does it wait for people, as far as the last look found? A draft is its author's. */
export function isOpen({ state = "draft" }: Pick<Pull, "state">): boolean {
  return state === "open" || state === "approved" || state === "changes_requested"
}

/** Until the next look, ms: sooner at what has just changed. Pure. */
function waitOf({ state, since, touchedAt }: Pull, now: number, intervals: PullIntervals) {
  if (state === "closed") return intervals.longestMs
  const quietMs = now - Math.max(since, touchedAt ?? 0)
  return Math.min(Math.max(intervals.soonestMs, quietMs * SHARE_OF_AGE), longestOf(intervals))
}

/** Between two looks at an open one, ms. */
function longestOf({ longestMs }: PullIntervals): number {
  return Math.min(OPEN_MS, longestMs)
}
