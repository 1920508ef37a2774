/** Changes of a round at the service: its creation or message, then the polls. Pure. */

import type { DocsError } from "../docs-service/docs-error.ts"
import type { Change, Moment } from "./change.ts"
import { ended, waitingAgain, withoutRound } from "./end-round.ts"
import type { Job, Pull, PullRef } from "./job.ts"
import type { PauseReason } from "./pause-record.ts"
import type { Ending } from "./round-record.ts"
import {
  currentAsks,
  currentRound,
  fitsRound,
  isForgotten,
  isUpdate,
  withCurrent,
} from "./rounds.ts"

/** Outcome of one attempt. `cause` is the underlying error, for the log. */
export type AttemptOutcome =
  | {
      kind: "created"
      agentJobId: string
      prLink?: string | undefined
      isActiveAgain?: boolean
    }
  /** No effect: the job returns to its position; `reason` pauses the queue or the project. */
  | { kind: "put_back"; reason?: PauseReason; pauseMs?: number | undefined; cause?: unknown }
  /** No effect, as for the next four: the requests cannot go as a message. */
  | { kind: "needs_job" }
  /** The text was deleted, because its requesters asked to be forgotten. */
  | { kind: "no_text" }
  | { kind: "not_allowed" }
  | { kind: "unreadable" }
  | { kind: "refused"; detail: string; cause?: DocsError }
  | { kind: "unknown"; detail: string; cause?: unknown }

export function hadNoEffect({ kind }: AttemptOutcome): boolean {
  return kind !== "created" && kind !== "unknown"
}

interface Answer extends Moment {
  token: string
  outcome: AttemptOutcome
  pollMs: number
}

/** Applies the outcome of an attempt; ignored unless `token` is the job's current grant. */
export function settled(job: Job, { token, outcome, pollMs, now }: Answer): Change | undefined {
  if (job.state !== "creating" || job.grant !== token) return undefined
  switch (outcome.kind) {
    case "created":
      return { set: created(job, outcome, now), due: { polls: pollMs, outbox: 0 }, slot: "arrived" }
    case "put_back": {
      if (isForgotten(currentAsks(job)))
        return { ...withoutRound(job, "cancelled", now), slot: "back" }
      // Its place was that of a job about to start, which a pause has since made untrue.
      const set: Partial<Job> = { state: "queued", place: undefined, ...takenIn(job) }
      return { set, slot: "back", due: { outbox: 0 } }
    }
    case "not_allowed":
    case "unreadable":
      return { ...withoutRound(job, outcome.kind, now), slot: "back" }
    case "needs_job": {
      const change = waitingAgain(job)
      return change && { ...change, slot: "back" }
    }
    case "no_text":
      return { ...withoutRound(job, "cancelled", now), slot: "back" }
    case "refused":
      return { ...ended(job, "refused", now, outcome.detail), slot: "back" }
    case "unknown":
      return ended(job, "unknown", now, outcome.detail)
    default:
      return outcome satisfies never
  }
}

type Created = Extract<AttemptOutcome, { kind: "created" }>

function created(job: Job, outcome: Created, now: number): Partial<Job> {
  const { agentJobId, prLink, isActiveAgain } = outcome
  const started = { startedAt: now, misses: undefined }
  if (!isUpdate(job)) {
    const rounds = withCurrent(job, started)
    // The service's new job has nothing to do with the pull request of the one before.
    return { state: "active", rounds, agentJobId, prLink, pull: undefined }
  }
  const seenActive = isActiveAgain ? (true as const) : undefined
  const rounds = withCurrent(job, { ...started, seenActive, sizeBefore: sizeInNumbers(job.pull) })
  return { state: "active", rounds, agentJobId, prLink: prLink ?? job.prLink }
}

function sizeInNumbers(pull: Pull | undefined) {
  if (!pull?.size) return undefined
  const { files, added, removed } = pull.size
  return { files, added, removed }
}

/** Moves the requests that wait into the current round, if they may be sent together. */
function takenIn(job: Job): Partial<Job> {
  const asks = [...currentAsks(job), ...job.waiting]
  return fitsRound(asks) ? { rounds: withCurrent(job, { asks }), waiting: [] } : {}
}

/** Ends an attempt whose process died. It may have reached the service, so its slot stays taken. */
export function abandoned(job: Job, { now }: Moment): Change | undefined {
  return job.state === "creating" ? ended(job, "unknown", now) : undefined
}

/** Restores an attempt (with its token) that Redis lost and its process reported. */
export function remembered(
  job: Job,
  { token, round }: { token: string; round: string },
): Change | undefined {
  // A later round needs an attempt of its own.
  if (job.state !== "queued" || currentRound(job).id !== round) return undefined
  return { set: { state: "creating", grant: token }, due: { outbox: 0 } }
}

/** Finding of a poll: what the service's answer means for the round. */
export interface Observation {
  ending?: Ending
  prLink?: string | undefined
  /** True if the service's job was seen active again after the message. */
  isActiveAgain?: true
  misses: number
  waitMs: number
}

/** Pull request that a link leads to, and the delay in ms before its first poll. */
type Link = PullRef & { firstMs: number }

/** Applies a poll's answer, and follows its link. The end of the lease schedules the next poll. */
export function polled(
  job: Job,
  found: Observation & Moment & { link?: Link | undefined },
): Change | undefined {
  if (job.state !== "active") return undefined
  const { ending, link, now } = found
  const round = currentRound(job)
  const misses = found.misses || undefined
  const seenActive = found.isActiveAgain ?? round.seenActive
  const prLink = found.prLink ?? job.prLink
  const followed = link ? pullFound(job, { ...link, now }) : {}
  const set = { ...followed.set, rounds: withCurrent(job, { misses, seenActive }), prLink }
  if (ending) {
    const end = ended({ ...job, rounds: set.rounds }, ending, now)
    return { ...end, set: { ...set, ...end.set }, due: { ...end.due, ...followed.due } }
  }
  const isSame = misses === round.misses && seenActive === round.seenActive
  if (isSame && prLink === job.prLink && !link) return undefined
  return { set, due: { outbox: 0, ...followed.due } }
}

/** Follows the pull request of a link from now on; a known one keeps what was seen of it. */
export function pullFound(job: Job, found: Link & { now: number }): Change {
  const { owner, repo, number, firstMs, now } = found
  const { pull } = job
  const isKnown = pull?.owner === owner && pull.repo === repo && pull.number === number
  const kept = isKnown ? { ...pull, since: now } : { owner, repo, number, since: now, failures: 0 }
  return { set: { pull: kept }, due: { pulls: firstMs } }
}

/** Records that reviews became a follow-up, the request `ask`. @param ids of all quoted in it */
export function reviewAddressed(
  { pull }: Job,
  ask: string,
  ids: readonly string[],
): Change | undefined {
  if (!pull?.review) return undefined
  const review = { ...pull.review, state: "addressed" as const }
  const addressed = [...(pull.addressed ?? []), ...ids.map((review) => ({ review, ask }))]
  return { set: { pull: { ...pull, review, addressed } }, due: { outbox: 0 } }
}
