import { DocsError } from "../errors/docs-error.ts"
import type { Preview } from "../jobs/job.ts"
import type { PreviewStatus, StartedPreview } from "../ports/docs-api.ts"
import type { After } from "./ports.ts"

/** Statuses that say that the deployment, or its plan, has no previews. */
const NOT_THERE = new Set([403, 404, 405, 501])
/** A build that is not heard of for so long is given up on, ms. */
const LONGEST_MS = 30 * 60_000
/** Before another request where the service took none for now, ms. */
const AGAIN_MS = 15_000

type Step = { preview: Preview; after: After } | "absent"

const SILENT = "The service said nothing about this build for half an hour."
const NO_LINK = "The service started no build that could be followed."

/** What the answer to the request means. Only what certainly had no effect is sent again. Pure. */
export function afterRequest(
  preview: Preview,
  answer: StartedPreview | DocsError,
  { now, soonestMs }: { now: number; soonestMs: number },
): Step {
  const ended = (state: Preview["state"], summary?: string): Step => ({
    preview: { ...preview, state, summary },
    after: { isNews: true },
  })
  if (!(answer instanceof DocsError)) {
    const { statusId, url } = answer
    const started = { ...preview, statusId, url }
    if (statusId !== undefined)
      return {
        preview: { ...started, state: "building" },
        after: { waitMs: soonestMs, isNews: true },
      }
    // Without an id there is nothing to ask about; the link alone is told.
    return url === undefined
      ? ended("failed", NO_LINK)
      : { preview: { ...started, state: "ready" }, after: { isNews: true } }
  }
  if (NOT_THERE.has(answer.status ?? 0)) return "absent"
  const isLater = answer.fault === "rate_limited" || answer.fault === "unreachable"
  if (isLater && now - preview.at < LONGEST_MS) {
    const waitMs = Math.max(answer.retryAfterMs ?? AGAIN_MS, 1000)
    return { preview: { ...preview, state: "asked" }, after: { waitMs, isNews: false } }
  }
  if (answer.fault === "bad_request") return ended("failed", answer.detail)
  if (answer.fault === "key_refused") return ended("failed", "The service rejected the API key.")
  return isLater ? ended("failed", SILENT) : ended("unknown")
}

/** What a question about a build that goes on means. Pure. */
export function afterStatus(
  preview: Preview,
  answer: PreviewStatus | DocsError,
  { now, soonestMs, longestMs }: { now: number; soonestMs: number; longestMs: number },
): { preview: Preview; after: After } {
  const ageMs = now - preview.at
  if (!(answer instanceof DocsError) && answer.status !== "running") {
    const state = answer.status === "success" ? "ready" : "failed"
    const { summary, files } = answer
    return { preview: { ...preview, state, summary, files }, after: { isNews: true } }
  }
  if (ageMs >= LONGEST_MS)
    return { preview: { ...preview, state: "failed", summary: SILENT }, after: { isNews: true } }
  const waitMs = Math.min(Math.max(soonestMs, ageMs / 10), longestMs)
  return { preview, after: { waitMs, isNews: false } }
}
