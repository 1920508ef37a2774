import type { PreviewStatus, StartedPreview } from "../docs/schema.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { Preview } from "../jobs/job.ts"
import { defined } from "../runtime/defined.ts"

export interface PreviewIntervals {
  soonestMs: number
  longestMs: number
}

/** The statuses with which a deployment or plan without previews answers. */
const NOT_THERE = new Set([403, 404, 405, 501])
/** The bot gives up a build without an ending after this time, ms. */
const LONGEST_MS = 30 * 60_000
/** The wait before another request after the service refused one for now, ms. */
const AGAIN_MS = 15_000

/** The next state of a build, and the wait until its next step, ms; absent if there is none. */
export interface PreviewStep {
  preview: Preview
  againMs?: number
}

const SILENT = "The service said nothing about this build for half an hour."
const NO_LINK = "The service started no build that could be followed."

function ended(preview: Preview, state: Preview["state"], more: Partial<PreviewStatus> = {}) {
  const { summary, files } = more
  return { preview: { ...preview, state, ...defined({ summary, files }) } }
}

/** Decides what the answer to the request means. Repeats only a call that certainly had no effect. Pure. */
export function afterRequest(
  preview: Preview,
  answer: StartedPreview | DocsError,
  { now, soonestMs }: PreviewIntervals & { now: number },
): PreviewStep | "absent" {
  if (!(answer instanceof DocsError)) {
    const started = { ...preview, ...defined(answer) }
    if (answer.statusId !== undefined)
      return { preview: { ...started, state: "building" }, againMs: soonestMs }
    // Without an id the bot cannot ask about the build, so it shows only the link.
    return answer.url === undefined
      ? ended(preview, "failed", { summary: NO_LINK })
      : ended(started, "ready")
  }
  if (NOT_THERE.has(answer.status ?? 0)) return "absent"
  const isLater = answer.fault === "rate_limited" || answer.fault === "unreachable"
  if (isLater && now - preview.at < LONGEST_MS) {
    // The longer the service refuses, the longer the waits.
    const againMs = Math.max(answer.retryAfterMs ?? AGAIN_MS, (now - preview.at) / 2)
    return { preview: { ...preview, state: "asked" }, againMs }
  }
  if (answer.fault === "bad_request")
    return ended(preview, "failed", defined({ summary: answer.detail }))
  if (answer.fault === "key_refused")
    return ended(preview, "failed", { summary: "The service rejected the API key." })
  return isLater ? ended(preview, "failed", { summary: SILENT }) : ended(preview, "unknown")
}

/** Decides what an answer about a running build means. Pure. */
export function afterStatus(
  preview: Preview,
  answer: PreviewStatus | DocsError,
  { now, soonestMs, longestMs }: PreviewIntervals & { now: number },
): PreviewStep {
  const ageMs = now - preview.at
  if (!(answer instanceof DocsError) && answer.status !== "running")
    return ended(preview, answer.status === "success" ? "ready" : "failed", answer)
  if (ageMs >= LONGEST_MS) return ended(preview, "failed", { summary: SILENT })
  return { preview, againMs: Math.min(Math.max(soonestMs, ageMs / 10), longestMs) }
}
