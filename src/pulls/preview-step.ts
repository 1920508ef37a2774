import type { Timing } from "../config/timing.ts"
import { ABSENT } from "../docs-service/answer-faults.ts"
import type { PreviewStatus, StartedPreview } from "../docs-service/answers.ts"
import { DocsError } from "../docs-service/docs-error.ts"
import type { Preview } from "../jobs/job.ts"
import { defined } from "../lib/defined.ts"

type Intervals = Timing["previews"]

/** Maximum time in ms from the click to the end of the build; `messages/result.ts` names it. */
const MAX_MS = 30 * 60_000
/** Time in ms after the click during which the service may not find the build yet. */
const MISSING_MS = 60_000
/** Minimum retry delay in ms after a temporary refusal, unless the service names one. */
const AGAIN_MS = 15_000

interface PreviewStep {
  preview: Preview
  againMs?: number
}

function ended(preview: Preview, state: Preview["state"], more: Partial<PreviewStatus> = {}) {
  const { summary, files } = more
  return { preview: { ...preview, state, ...defined({ summary, files }) } }
}

function failed(preview: Preview, fault: NonNullable<Preview["fault"]>) {
  return { preview: { ...preview, state: "failed" as const, fault } }
}

/**
 * Returns the preview after a build request, or `absent` if the service offers none. Schedules a
 * repeat only if the request certainly had no effect. Pure.
 */
export function afterRequest(
  preview: Preview,
  answer: StartedPreview | DocsError,
  now: number,
  { soonestMs }: Intervals,
): PreviewStep | "absent" {
  if (!(answer instanceof DocsError)) {
    const started = { ...preview, ...defined(answer) }
    if (answer.statusId !== undefined)
      return { preview: { ...started, state: "building" }, againMs: soonestMs }
    // Without an id the bot cannot ask about the build, so it shows only the link.
    return answer.url === undefined ? failed(preview, "not_started") : ended(started, "ready")
  }
  const { fault, status = 0, detail, retryAfterMs = AGAIN_MS } = answer
  if (ABSENT.has(status)) return "absent"
  if (fault === "bad_request") return ended(preview, "failed", defined({ summary: detail }))
  if (fault === "key_refused") return failed(preview, "key_refused")
  if (fault !== "rate_limited" && fault !== "unreachable") return ended(preview, "unknown")
  const ageMs = now - preview.at
  if (ageMs >= MAX_MS) return failed(preview, "late")
  return { preview: { ...preview, state: "asked" }, againMs: Math.max(retryAfterMs, ageMs / 2) }
}

export function afterStatus(
  preview: Preview,
  answer: PreviewStatus | DocsError,
  now: number,
  { soonestMs, longestMs }: Intervals,
): PreviewStep {
  const ageMs = now - preview.at
  // If the status stays missing, the deployment does not offer this endpoint.
  const isMissing = answer instanceof DocsError && ABSENT.has(answer.status ?? 0)
  if (isMissing && ageMs >= MISSING_MS) return ended(preview, "unknown")
  if (!(answer instanceof DocsError) && answer.status !== "running")
    return ended(preview, answer.status === "success" ? "ready" : "failed", answer)
  if (ageMs >= MAX_MS) return failed(preview, "late")
  return { preview, againMs: Math.min(Math.max(soonestMs, ageMs / 10), longestMs) }
}
