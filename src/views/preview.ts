import type { Button } from "@slack/types"
import type { Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { button, line, linkButton } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"
import { safeUrl } from "./pull-request.ts"

/** How far the preview of a job's branch is; undefined where nobody asked for one. */
export function previewLine({ preview }: Job): string | undefined {
  if (!preview) return undefined
  const { state, summary, files } = preview
  switch (state) {
    case "asked":
    case "sending":
    case "building":
      return ":hourglass_flowing_sand: *Building the preview.* It usually takes a few minutes."
    case "ready":
      return `:mag: *Preview ready.*${files ? ` ${changed(files)}.` : ""}`
    case "failed":
      return `:x: *The preview couldn't be built.*${summary ? ` ${foreignLine(summary, 300)}` : ""}`
    case "unknown":
      return ":warning: *We couldn't confirm that the preview is being built.* Build it again to be sure."
  }
}

function changed({
  added,
  modified,
  removed,
}: {
  added: number
  modified: number
  removed: number
}) {
  const all = added + modified + removed
  const parts = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(modified > 0 ? [`${modified} modified`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ]
  const kinds = parts.length > 0 ? ` (${parts.join(", ")})` : ""
  return `${all} ${all === 1 ? "file" : "files"} changed${kinds}`
}

/** What can be pressed about it, under the closing reply. */
export function previewButtons(job: Job): Button[] {
  const { preview, branch, id, ending } = job
  if (ending !== "pull_request" || branch === undefined) return []
  const ask = (label: string) => button({ action: "build_preview", label, value: id })
  switch (preview?.state) {
    case undefined:
      return [ask("Build preview")]
    case "asked":
    case "sending":
    case "building":
      return []
    case "ready": {
      const url = safeUrl(preview.url)
      return [
        ...(url ? [linkButton("open_preview", "Open preview", url)] : []),
        ask("Rebuild preview"),
      ]
    }
    default:
      return [ask("Build again")]
  }
}

/** To who clicked, once: the deployment or its plan has none. */
export function previewAbsent(): Message {
  return line(
    "*Previews aren't available here.* Your documentation service or its plan doesn't offer them.",
  )
}
