import { context, header } from "../messages/blocks.ts"
import { beforeNumbers, count, foreignLine, plainLine } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { Mover } from "./page-changes.ts"
import { rangeLabel } from "./range-words.ts"
import type { ChangeReport } from "./report.ts"
import { changeControls } from "./report-buttons.ts"
import { titleOf } from "./report-message.ts"

const MAX_PATH = 120
const MAX_IN_TEXT = 60
const NONE = "No page changed much."

/** @param id opaque id of the report to which a button leads back */
export function changeMessage(report: ChangeReport, id: string): Message {
  const { selection, changes, previous, project, whole } = report
  const title = titleOf("What changed in docs traffic", selection)
  const sentence = changes.map((one) => words(one, foreignLine(one.path, MAX_IN_TEXT))).join("; ")
  // Plain text, so that nothing in a path becomes markup, a link or a mention.
  const lines = changes.map((one) => `• ${words(one, plainLine(one.path, MAX_PATH))}`).join("\n")
  const list = { type: "plain_text", text: lines || NONE, emoji: false } as const
  const notes = [
    foreignLine(project, 60),
    `vs ${rangeLabel(previous, selection.range)}`,
    "people and AI",
    "dates in UTC",
    "small changes are left out",
    !whole && "some new or removed pages may be missing",
  ]
  return {
    text: `${foreignLine(title, 150)} (UTC). ${sentence || NONE}`,
    blocks: [
      header(title),
      { type: "section", text: list },
      changeControls(id),
      context(notes.filter(Boolean).join(" · ")),
    ],
  }
}

function words({ now, before }: Mover, path: string): string {
  const change = `${now > before ? "+" : "−"}${count(Math.abs(now - before))}`
  return `${beforeNumbers(path)} ${count(before)} → ${count(now)} (${change})`
}
