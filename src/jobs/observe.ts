import { POLLING } from "../config/timing.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { AgentJob } from "../ports/docs-api.ts"
import { type Ending, type Followed, NOT_CONFIGURED, type Observation } from "./job.ts"
import { nextWait, type PollPolicy } from "./poll-interval.ts"

/** What else decides the meaning of an answer. */
interface Circumstances {
  now: number
  /** From 0 to 1, to spread the polls. */
  random: number
  /** The job was not found, and not for the first time; or its project is not configured anywhere. */
  isGone: boolean
}

/** What one answer means for a job. Pure. */
export function observe(
  job: Followed,
  answer: AgentJob | DocsError,
  policy: PollPolicy,
  { now, random, isGone }: Circumstances,
): Observation {
  const ageMs = Math.max(0, now - (job.startedAt ?? now))
  const lost: { ending?: Ending } = ageMs >= policy.timeoutMs ? { ending: "lost" } : {}
  const waitMs = nextWait(ageMs, policy, random)
  if (answer instanceof DocsError) {
    if (answer.fault === "not_configured" && isGone)
      return { misses: job.misses, waitMs, ending: "gone", detail: NOT_CONFIGURED }
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

/** Does this ending belong to the message's work? It does if the job was active since, or has another link. */
function isReactivated(job: Followed, prLink: string | undefined): boolean {
  if (job.follows === undefined || job.isReactivated) return true
  return prLink !== undefined && prLink !== job.prLink
}

function endingOf({ status, prLink }: AgentJob): Ending | undefined {
  if (status === "active") return undefined
  if (status === "completed") return prLink ? "pull_request" : "no_pull_request"
  return status
}
