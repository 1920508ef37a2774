import type { Button } from "@slack/types"
import { isOver, type Job, type Preview } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { button, line, linkButton } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"
import { addressLine, safeUrl } from "./pull-request.ts"

/** Is there a build whose end is not known yet? */
export function isBuilding({ preview }: Job): boolean {
  return preview !== undefined && UNDER_WAY.has(preview.state)
}

const UNDER_WAY: ReadonlySet<Preview["state"]> = new Set(["asked", "sending", "building"])

/** How far the preview of a job's branch is; undefined where nobody asked for one. */
export function previewLine({ preview, pullState }: Job): string | undefined {
  if (!preview) return undefined
  const { state, summary, files, isInLine } = preview
  if (state === "asked" && isInLine)
    return ":hourglass_flowing_sand: *Preview in line.* Only five can start each minute. Yours will start by itself."
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
      return `:warning: *We couldn't confirm that the preview is being built.*${isOver(pullState) ? "" : " Build it again to be sure."}`
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
  const kinds = parts.length > 1 || all > modified ? ` (${parts.join(", ")})` : ""
  return `${all} ${all === 1 ? "file" : "files"} changed${kinds}`
}

/**
 * The value of a button that asks for a build: the job, and the last build that the reply showed.
 * Who presses the button of an outdated reply does not build another one.
 */
function previewValue(job: string, after: number | undefined): string {
  return after === undefined ? job : `${job}:${after}`
}

export function readPreviewValue(value: string): { id: string; after: number | undefined } {
  const [id = "", after] = value.split(":")
  return { id, after: after === undefined ? undefined : Number(after) }
}

/** The address of a preview that is ready, for text that shows no button, with a line break in front. */
export function previewAddress({ preview }: Job): string {
  return preview?.state === "ready"
    ? addressLine(preview.url === undefined ? {} : { prLink: preview.url })
    : ""
}

/** What can be pressed about it, under the closing reply. */
export function previewButtons(job: Job): Button[] {
  const { preview, branch, id, ending } = job
  if (ending !== "pull_request" || branch === undefined) return []
  const value = previewValue(id, preview?.at)
  // Once the pull request is merged or closed, what was built is shown and nothing more is built.
  const ask = (label: string) =>
    isOver(job.pullState) ? [] : [button({ action: "build_preview", label, value })]
  switch (preview?.state) {
    case undefined:
      return ask("Build preview")
    case "asked":
    case "sending":
    case "building":
      return []
    case "ready": {
      const url = safeUrl(preview.url)
      return [
        ...(url ? [linkButton("open_preview", "Open preview", url, "plain")] : []),
        ...ask("Rebuild preview"),
      ]
    }
    default:
      return ask("Build again")
  }
}

/** To who clicked when the pull request was merged or closed already. */
export function nothingToPreview(state: "merged" | "closed"): Message {
  return line(`*This pull request is ${state}.* There's nothing left to preview.`)
}

/** To who clicked, once: the deployment or its plan has none. */
export function previewAbsent(): Message {
  return line(
    "*Previews aren't available here.* Your documentation service or its plan doesn't offer them.",
  )
}
