import { POLLING } from "../config/timing.ts"
import type { AgentJob } from "../docs/schema.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { Ending, Job } from "./job.ts"

export interface PollPolicy {
  minMs: number
  maxMs: number
  /** The age at which a job that is still active is reported as lost track of, ms. */
  timeoutMs: number
}

/** One poll's result. */
export interface Observation {
  ending?: Ending
  /** More about the ending. */
  detail?: string
  branch?: string | undefined
  prLink?: string | undefined
  /** The service's job was seen to be active again after the message. */
  isReactivated?: boolean
  misses: number
  /** The wait until the next poll if there is no ending, ms. */
  waitMs: number
}

/** The fields of a job that a poll needs. */
type Polled = Pick<Job, "startedAt" | "misses" | "follows" | "isReactivated" | "prLink">

/** Circumstances that decide the meaning of an answer. */
interface Circumstances {
  now: number
  /** A number from 0 to 1, to spread the polls. */
  random: number
  /** The job was not found, and not for the first time. */
  isGone: boolean
}

/** Judges what one answer means for a job. Pure. */
export function observe(
  job: Polled,
  answer: AgentJob | DocsError,
  policy: PollPolicy,
  { now, random, isGone }: Circumstances,
): Observation {
  const ageMs = Math.max(0, now - (job.startedAt ?? now))
  const lost: { ending?: Ending } = ageMs >= policy.timeoutMs ? { ending: "lost" } : {}
  const waitMs = nextWait(ageMs, policy, random)
  if (answer instanceof DocsError) {
    if (answer.fault === "not_found")
      return { misses: job.misses + 1, waitMs, ...(isGone ? { ending: "gone" } : lost) }
    // Trouble at the service is not the requester's business: try later, say nothing.
    const later = Math.max(answer.retryAfterMs ?? 0, policy.maxMs * (0.75 + random / 2))
    return { misses: job.misses, waitMs: later, ...lost }
  }
  const { prLink, branch } = answer
  const ending = endingOf(answer)
  if (ending && ageMs < POLLING.turningMs && !isReactivated(job, prLink)) {
    // It may be the ending from before the message: nothing is said until that is ruled out.
    return { misses: 0, waitMs: Math.min(waitMs, POLLING.turningMs - ageMs) }
  }
  const turned = !ending && job.follows !== undefined ? { isReactivated: true } : {}
  return { misses: 0, waitMs, prLink, branch, ...turned, ...(ending ? { ending } : lost) }
}

/** Tells whether this ending belongs to the message's work. It does if the job was active since, or has another link. */
function isReactivated(job: Polled, prLink: string | undefined): boolean {
  if (job.follows === undefined || job.isReactivated) return true
  return prLink !== undefined && prLink !== job.prLink
}

function endingOf({ status, prLink }: AgentJob): Ending | undefined {
  if (status === "active") return undefined
  if (status === "completed") return prLink ? "pull_request" : "no_pull_request"
  return status
}

/**
 * Returns the wait until the next poll of a job of this age, ms. The first waits double, so that a job that ends at
 * once is noticed at once and the polls of all others are few. From then on waits grow slowly:
 * growing by a larger share of the age spends most polls on a job's first minute, where few jobs
 * end, and is late for those of usual length. For the same number of polls this is late by a smaller
 * share of the job's length than any fixed interval.
 */
export function nextWait(ageMs: number, { minMs, maxMs }: PollPolicy, random: number): number {
  const { jitter, shareOfAge } = POLLING
  const steady = POLLING.steady * minMs + shareOfAge * ageMs
  const wait = Math.min(Math.max(Math.min(ageMs, steady), minMs), maxMs)
  return wait * (1 - jitter + 2 * jitter * random)
}
