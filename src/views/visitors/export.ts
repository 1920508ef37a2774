import type { Message } from "../../ports/message.ts"
import type { CsvExport } from "../../visitors/export-ports.ts"
import type { ExportPlan } from "../../visitors/exports.ts"
import type { Missing } from "../../visitors/report.ts"
import type { WalkEnd } from "../../visitors/walk.ts"
import { actions, button, line, plain, section } from "../blocks.ts"
import { clockTime, foreignLine } from "../mrkdwn.ts"
import type { PostRefusal } from "../post-refusals.ts"
import { visitorActions } from "./action-ids.ts"
import { capital, count, plural, rangeTitle } from "./format.ts"
import { reason } from "./missing.ts"

/** Before an export that is more than the hour's rest: what it takes, and whether to begin. */
export function exportQuestion(id: string, plan: ExportPlan): Message {
  const text = `${takes(plan)} Prepare it in the background? I'll DM you the progress and the file.`
  const start = button({
    action: visitorActions.csvStart,
    label: "Start",
    value: id,
    style: "primary",
  })
  return { text: plain(text), blocks: [section(text), ...actions([start])] }
}

function takes({ size, requests, free, hours, rowsPerHour, endless }: ExportPlan): string {
  if (size === undefined || requests === undefined || hours === undefined)
    return `*The hour's requests for visitor numbers are used up,* so the size of this CSV isn't known yet. Each hour has room for ${count(rowsPerHour)} pages.`
  const pages = endless
    ? `at least ${count(size.low)} pages, of which a CSV holds ${count(size.high)}`
    : `${size.low === size.high ? "" : "about "}${count(size.high)} pages`
  return `*This CSV takes about ${plural(hours, "hour", "hours")}.* It has ${pages} and needs up to ${count(requests)} requests; ${count(free)} are left this hour.`
}

/** To the person who pressed the button; the rest happens in their direct messages. */
export function exportStarted(joined: boolean): Message {
  return line(
    joined ? "Someone just asked for the same CSV. I'll DM it to you too." : "I'll DM you the CSV.",
  )
}

/** Where the progress is shown, before there is any. */
export function exportBegun(): Message {
  return line("Preparing your CSV of docs visitors.")
}

/** @param resumesAt when the next request may be made, ms; absent while it reads */
export function exportProgress(csv: CsvExport, resumesAt: number | undefined): Message {
  const { size, offset } = csv
  const of = size === undefined ? "" : ` of about ${count(size.high)}`
  const pause =
    resumesAt === undefined
      ? ""
      : ` Hourly limit reached; continuing around ${clockTime(resumesAt)}.`
  return line(`${title(csv)}: ${count(offset)}${of} pages read.${pause}`)
}

/** The file is there. What is not the whole is never called the whole. */
export function exportDone(csv: CsvExport): Message {
  const notes = [endNote(csv.end ?? "complete", csv.offset), repeatNote(csv.repeats)].join("")
  return line(`${title(csv)}: ${plural(csv.rows, "page", "pages")}.${notes}`)
}

export function exportFailed(csv: CsvExport, why: Missing): Message {
  return line(
    `*No file:* ${title(csv)} stopped after ${count(csv.offset)} pages. ${capital(reason(why))}.`,
  )
}

/** The file is complete, and Slack does not take it. @param code Slack's error code */
export function exportUnsent(csv: CsvExport, code: string): Message {
  const what =
    code === "missing_scope"
      ? "the app is missing the `files:write` permission, which an admin can add"
      : `Slack answered \`${foreignLine(code, 60)}\``
  return line(`*${title(csv)} is ready, but couldn't be sent:* ${what}.`)
}

/** The file comes in a direct message, and the first one did not get through. */
export function cannotMessageYou({ code, verdict }: PostRefusal): Message {
  const next =
    verdict === "give_up"
      ? "Check that you haven't blocked the app"
      : "Wait a minute, then ask for the file again"
  return line(
    `*I can't DM you the file:* Slack doesn't allow it (\`${foreignLine(code, 60)}\`). ${next}.`,
  )
}

function title({ project, range, filter }: CsvExport): string {
  const which = filter === undefined ? "" : `, pages matching ${foreignLine(filter, 60)}`
  return `Visitors of ${foreignLine(project, 60)}, ${rangeTitle(range)}${which} (CSV)`
}

function endNote(end: WalkEnd, read: number): string {
  switch (end) {
    case "complete":
      return ""
    case "cut":
      return ` Incomplete: reading stopped at ${count(read)} pages because the service kept announcing more.`
    case "empty_page":
      return ` Incomplete: the service announced more after ${count(read)} pages but sent none.`
    case "repeated_page":
      return " Incomplete: the service announced more but sent the same pages again."
  }
}

function repeatNote(repeats: number): string {
  if (repeats === 0) return ""
  return ` ${plural(repeats, "row", "rows")} came twice and ${repeats === 1 ? "was" : "were"} left out. The order changed during reading, so pages may be missing.`
}
