import { DocsError } from "../docs-service/docs-error.ts"
import type { AgentJob } from "../docs-service/response-shapes.ts"
import type { Job } from "../jobs/job.ts"
import type { Ending, Round } from "../jobs/round-record.ts"
import type { Observation } from "../jobs/send-round.ts"
import { nextWait, type PollPolicy, waitAfterFailure } from "./poll-intervals.ts"

/** Time in ms after a follow-up in which the service may still report the previous ending. */
const TURNING_MS = 20_000

type Polled = Pick<Round, "startedAt" | "misses" | "way" | "seenActive"> & Pick<Job, "prLink">

/** Number of 404s in a row that prove a job gone; single ones were seen right after a creation. */
const MISSES_TO_GONE = 2

interface Circumstances {
  now: number
  /** Random number from 0 to 1, which spreads the polls. */
  random: number
  /** True if `DOCS_JOB_PATH` has found a job, so that a 404 is about the job itself. */
  isPathRight: boolean
}

export function observe(
  job: Polled,
  answer: AgentJob | DocsError,
  policy: PollPolicy,
  { now, random, isPathRight }: Circumstances,
): Observation {
  const ageMs = Math.max(0, now - (job.startedAt ?? now))
  const lost: { ending?: Ending } = ageMs >= policy.giveUpAfterMs ? { ending: "lost" } : {}
  const waitMs = nextWait(ageMs, policy, random)
  if (answer instanceof DocsError) {
    if (answer.fault === "not_found") {
      const misses = (job.misses ?? 0) + 1
      const isGone = isPathRight && misses >= MISSES_TO_GONE
      return { misses, waitMs, ...(isGone ? { ending: "gone" } : lost) }
    }
    // Problems at the service do not concern the requester, so the bot only polls later.
    const later = waitAfterFailure(policy, random, answer.retryAfterMs)
    return { misses: job.misses ?? 0, waitMs: later, ...lost }
  }
  // A link that people saw stays, although the service may report null once the job has ended.
  const prLink = answer.prLink ?? job.prLink
  const ending = endingOf({ ...answer, prLink })
  if (ending && ageMs < TURNING_MS && !isAboutMessage(job, answer.prLink)) {
    // This may be the ending of the work before the message, so the bot reports nothing yet.
    return { misses: 0, waitMs: Math.min(waitMs, TURNING_MS - ageMs) }
  }
  const turned = !ending && job.way === "message" ? { isActiveAgain: true as const } : {}
  return { misses: 0, waitMs, prLink, ...turned, ...(ending ? { ending } : lost) }
}

/** Returns whether the ending came after the message: it was active since, or its link is new. */
function isAboutMessage(job: Polled, prLink: string | undefined): boolean {
  if (job.way === "creation" || job.seenActive) return true
  return prLink !== undefined && prLink !== job.prLink
}

function endingOf({ status, prLink }: AgentJob): Ending | undefined {
  if (status === "active") return undefined
  if (status === "completed") return prLink ? "pull_request" : "no_pull_request"
  return status
}
