import type { z } from "zod"
import type { PreviewStatus, StartedPreview } from "../ports/docs-api.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { truncate } from "../text/truncate.ts"
import type { previewStatusSchema, startedPreviewSchema } from "./schema.ts"

/** More of what a build says is not shown; code points. */
const LONGEST_SUMMARY = 500

/** What repeats a secret is left out: an id, a link. */
export function startedPreview(
  { statusId, previewUrl }: z.output<typeof startedPreviewSchema>,
  { holds }: SecretFilter,
): StartedPreview {
  return {
    statusId: statusId && !holds(statusId) ? statusId : undefined,
    url: previewUrl && !holds(previewUrl) ? previewUrl : undefined,
  }
}

export function previewStatus(
  { status, summary, commit }: z.output<typeof previewStatusSchema>,
  { clean }: SecretFilter,
): PreviewStatus {
  const changed = commit?.filesChanged
  return {
    // Whatever else it may be called, a build that has not ended is asked about again.
    status: status === "success" || status === "failure" ? status : "running",
    summary: summary ? truncate(clean(summary), LONGEST_SUMMARY) : undefined,
    files: changed
      ? {
          added: changed.added.length,
          modified: changed.modified.length,
          removed: changed.removed.length,
        }
      : undefined,
  }
}
