import { bullets, context, header, section } from "../messages/blocks.ts"
import { beforeNumbers, count, foreignLine, plainLine } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { Mover } from "./page-changes.ts"
import { rangeLabel } from "./range-words.ts"
import type { ChangeReport } from "./report.ts"
import { changeControls } from "./report-buttons.ts"
import { isOfEqualLength } from "./report-change.ts"
import { titleOf } from "./report-message.ts"
import { daysIn } from "./utc-day.ts"

const MAX_PATH = 120
const MAX_IN_TEXT = 60
const NONE = "No page changed much."

/** @param id opaque id of the report to which a button leads back */
export function changeMessage(report: ChangeReport, id: string): Message {
  const { selection, changes, previous, project, whole } = report
  const title = titleOf("What changed in docs traffic", selection)
  const sentence = changes.map((one) => words(one, foreignLine(one.path, MAX_IN_TEXT))).join("; ")
  const lines = changes.map((one) => words(one, plainLine(one.path, MAX_PATH)))
  const notes = [
    foreignLine(project, 60),
    `vs ${rangeLabel(previous, selection.range)}`,
    "people and AI",
    !isOfEqualLength(report) && `scaled to ${daysIn(selection.range)} days`,
    "dates in UTC",
    "small changes are left out",
    !whole && "some new or removed pages may be missing",
  ]
  return {
    text: `${foreignLine(title, 150)} (UTC). ${sentence || NONE}`,
    blocks: [
      header(title),
      lines.length > 0 ? bullets(lines) : section(NONE),
      changeControls(id),
      context(notes.filter(Boolean).join(" · ")),
    ],
  }
}

function words({ now, before }: Mover, path: string): string {
  const change = `${now > before ? "+" : "−"}${count(Math.abs(now - before))}`
  return `${beforeNumbers(path)} ${count(before)} → ${count(now)} (${change})`
}
