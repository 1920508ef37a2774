import type { Message } from "../../ports/message.ts"
import type { ExportPlan } from "../../visitors/exports.ts"
import type { CsvExport } from "../../visitors/ports.ts"
import type { Missing } from "../../visitors/report.ts"
import type { WalkEnd } from "../../visitors/walk.ts"
import { actions, button, line, section } from "../blocks.ts"
import { date, foreignLine } from "../mrkdwn.ts"
import type { PostRefusal } from "../refusals.ts"
import { visitorActions } from "./action-ids.ts"
import { reason } from "./missing.ts"
import { count, plural, rangeTitle } from "./words.ts"

/** Before an export that is more than the hour's rest: what it takes, and whether to begin. */
export function exportQuestion(id: string, plan: ExportPlan): Message {
  const text = `${takes(plan)} Shall it go on in the background? You see the progress, and get the file, in our direct messages.`
  const start = button({
    action: visitorActions.csvStart,
    label: "Start",
    value: id,
    style: "primary",
  })
  return { text, blocks: [section(text), ...actions([start])] }
}

function takes({ size, requests, free, hours, rowsPerHour, endless }: ExportPlan): string {
  if (size === undefined || requests === undefined || hours === undefined)
    return `The hour's requests for visitor numbers are used up, so how many pages there are is not known yet. Every hour has room for ${count(rowsPerHour)} pages.`
  const pages = endless
    ? `at least ${count(size.low)} pages, of which an export takes ${count(size.high)}`
    : `${size.low === size.high ? "" : "about "}${count(size.high)} pages`
  return `This CSV has ${pages}: up to ${count(requests)} requests, and the hour has ${count(free)} left for it. It takes about ${plural(hours, "hour", "hours")}.`
}

/** To the person who pressed the button; the rest happens in their direct messages. */
export function exportStarted(joined: boolean): Message {
  return line(
    joined
      ? "Somebody asked for the same CSV a moment ago: you get it too, in our direct messages."
      : "The CSV comes in our direct messages.",
  )
}

/** Where the progress is shown, before there is any. */
export function exportBegun(): Message {
  return line("Your CSV of the docs visitors is being put together.")
}

/** @param resumesAt when the next request may be made, ms; absent while it reads */
export function exportProgress(csv: CsvExport, resumesAt: number | undefined): Message {
  const { size, offset } = csv
  const of = size === undefined ? "" : ` of about ${count(size.high)}`
  const pause =
    resumesAt === undefined
      ? ""
      : ` The hour's requests are used up; it goes on ${date(resumesAt)}.`
  return line(`${title(csv)}: ${count(offset)}${of} pages read so far.${pause}`)
}

/** The file is there. What is not the whole is never called the whole. */
export function exportDone(csv: CsvExport): Message {
  const notes = [endNote(csv.end ?? "complete", csv.offset), repeatNote(csv.repeats)].join("")
  return line(`${title(csv)}: ${plural(csv.rows, "page", "pages")}.${notes}`)
}

export function exportFailed(csv: CsvExport, why: Missing): Message {
  return line(
    `${title(csv)} stopped after ${count(csv.offset)} pages: ${reason(why)}. There is no file, because a part could be taken for the whole.`,
  )
}

/** The file is complete, and Slack does not take it. @param code Slack's error code */
export function exportUnsent(csv: CsvExport, code: string): Message {
  const what =
    code === "missing_scope"
      ? "the app lacks the permission `files:write`; an admin can add it"
      : `Slack answered \`${foreignLine(code, 60)}\``
  return line(`${title(csv)} is complete, and could not be sent: ${what}.`)
}

/** The file comes in a direct message, and the first one did not get through. */
export function cannotMessageYou({ code, verdict }: PostRefusal): Message {
  const next =
    verdict === "give_up"
      ? "Check that you have not blocked the app"
      : "Wait a minute, and ask for the file again"
  return line(
    `The file would come in a direct message, and Slack does not let me send you one (\`${foreignLine(code, 60)}\`). ${next}.`,
  )
}

function title({ project, range, filter }: CsvExport): string {
  const which = filter === undefined ? "" : `, pages matching ${foreignLine(filter, 60)}`
  return `CSV of the visitors of ${foreignLine(project, 60)}, ${rangeTitle(range)}${which}`
}

function endNote(end: WalkEnd, read: number): string {
  switch (end) {
    case "complete":
      return ""
    case "cut":
      return ` It is a part: reading stopped at ${count(read)} pages, as the service's end never came.`
    case "empty_page":
      return ` It is a part: the service announced more after ${count(read)} pages and gave none.`
    case "repeated_page":
      return " It is a part: the service announced more and gave the same pages again."
  }
}

function repeatNote(repeats: number): string {
  if (repeats === 0) return ""
  return ` ${plural(repeats, "row", "rows")} came twice and ${repeats === 1 ? "was" : "were"} left out: the service's order moved while it was read, so pages may be missing.`
}
