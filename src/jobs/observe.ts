import { POLLING } from "../config/timing.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { AgentJob } from "../ports/docs-api.ts"
import { type Ending, type Followed, NOT_CONFIGURED, type Observation } from "./job.ts"
import { nextWait, type PollPolicy } from "./poll-interval.ts"

/** Beside which an answer is seen. */
interface Circumstances {
  now: number
  /** 0..1, spreads the polls. */
  random: number
  /** It was not found, and not for the first time; or nobody has its project configured. */
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
    // It may be that of before the message: until it cannot, nothing is said.
    return { misses: 0, waitMs: Math.min(waitMs, POLLING.turningMs - ageMs) }
  }
  const turned = !ending && job.follows !== undefined ? { isReactivated: true } : {}
  return { misses: 0, waitMs, prLink, branch, ...turned, ...(ending ? { ending } : lost) }
}

/** Is an ending that of the work on the message? After it the job was active, or has another link. */
function isReactivated(job: Followed, prLink: string | undefined): boolean {
  if (job.follows === undefined || job.isReactivated) return true
  return prLink !== undefined && prLink !== job.prLink
}

function endingOf({ status, prLink }: AgentJob): Ending | undefined {
  if (status === "active") return undefined
  if (status === "completed") return prLink ? "pull_request" : "no_pull_request"
  return status
}
