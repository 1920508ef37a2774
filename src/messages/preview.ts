import type { Button } from "@slack/types"
import { isOver, type Job, type Preview } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { button, line, linkButton } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"
import { safeUrl } from "./pull-request.ts"

/** Says how far the preview of a job's branch is; undefined where nobody asked for one. */
export function previewLine({ preview, pull }: Job): string | undefined {
  if (!preview) return undefined
  const { state, summary, files, isInLine } = preview
  if (state === "asked" && isInLine)
    return ":hourglass_flowing_sand: *Preview queued.* It'll start within a minute or so."
  switch (state) {
    case "asked":
    case "sending":
    case "building":
      return ":hourglass_flowing_sand: *Building the preview.* It usually takes a few minutes."
    case "ready":
      return `:white_check_mark: *Preview ready.*${files ? ` ${changed(files)}.` : ""}`
    case "failed":
      return `:x: *The preview couldn't be built.*${summary ? ` ${foreignLine(summary, 300)}` : ""}`
    case "unknown":
      return `:warning: *Preview status unknown.*${isOver(pull?.state) ? "" : " Build it again to be sure."}`
  }
}

function changed(files: NonNullable<Preview["files"]>): string {
  const { added, modified, removed } = files
  const all = added + modified + removed
  const parts = Object.entries({ added, modified, removed }).flatMap(([kind, count]) =>
    count > 0 ? `${count} ${kind}` : [],
  )
  const kinds = parts.length > 1 || all > modified ? ` (${parts.join(", ")})` : ""
  return `${all} ${all === 1 ? "file" : "files"} changed${kinds}`
}

/**
 * Reads the value of a button that asks for a build: the job, and the last build that the reply showed.
 * A press on an outdated reply does not build another one.
 */
export function readPreviewValue(value: string): { id: string; after: number | undefined } {
  const [id = "", after] = value.split(":")
  return { id, after: after === undefined ? undefined : Number(after) }
}

/** Offers what can be done about a preview, under the closing reply. */
export function previewButtons(job: Job): Button[] {
  const { preview, branch, id, ending, pull } = job
  if (ending !== "pull_request" || branch === undefined) return []
  const value = preview ? `${id}:${preview.at}` : id
  // Once the pull request is merged or closed, what was built is shown and nothing more is built.
  const ask = (label: string) =>
    isOver(pull?.state) ? [] : [button({ action: "build_preview", label, value })]
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

/** Answers a click where no preview is built, and says why. */
export function noPreview(why: "merged" | "closed" | "absent" | "built" | "too_old"): Message {
  return line(NO_PREVIEW[why])
}

const NO_PREVIEW: Record<Parameters<typeof noPreview>[0], string> = {
  merged: "*Already merged.* Nothing left to preview.",
  closed: "*Already closed.* Nothing left to preview.",
  absent:
    "*Previews aren't available here.* Your documentation service or its plan doesn't offer them.",
  built: "*Already built.* See the message above.",
  too_old: "*This request is too old to preview.*",
}
