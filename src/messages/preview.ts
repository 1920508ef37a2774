import type { Button } from "@slack/types"
import { isOver, type Job } from "../jobs/job.ts"
import { button, linkButton } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"
import { safeUrl } from "./pull-request.ts"

/** Says how far the preview of a job's branch is; undefined where nobody asked for one. */
export function previewLine({ preview, pull }: Job): string | undefined {
  if (!preview) return undefined
  const { state, summary, files = { added: 0, modified: 0, removed: 0 }, isInLine } = preview
  const changed = files.added + files.modified + files.removed
  if (state === "asked" && isInLine)
    return ":hourglass_flowing_sand: *Preview queued.* It'll start within a minute or so."
  switch (state) {
    case "asked":
    case "sending":
    case "building":
      return ":hourglass_flowing_sand: *Building the preview.* It usually takes a few minutes."
    case "ready":
      return `:white_check_mark: *Preview ready.*${changed > 0 ? ` ${changed} ${changed === 1 ? "file" : "files"} changed.` : ""}`
    case "failed":
      return `:x: *The preview couldn't be built.*${summary ? ` ${foreignLine(summary, 300)}` : ""}`
    case "unknown":
      return `:warning: *Preview status unknown.*${isOver(pull?.state) ? "" : " Build it again to be sure."}`
  }
}

/** Offers what can be done about a preview, under the closing reply. */
export function previewButtons(job: Job): Button[] {
  const { preview, branch, id, ending, pull } = job
  if (ending !== "pull_request" || branch === undefined) return []
  // Once the pull request is merged or closed, what was built is shown and nothing more is built.
  const ask = (label: string) =>
    isOver(pull?.state) ? [] : [button({ action: "build_preview", label, value: id })]
  switch (preview?.state) {
    case undefined:
      return ask("Build preview")
    case "asked":
    case "sending":
    case "building":
      return []
    default: {
      const url = preview?.state === "ready" ? safeUrl(preview.url) : undefined
      return [
        ...(url ? [linkButton("open_preview", "Open preview", url)] : []),
        ...ask("Rebuild preview"),
      ]
    }
  }
}
