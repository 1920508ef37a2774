import type { KnownBlock } from "@slack/types"
import type { ChangeReport } from "../../visitors/report.ts"
import { context, header, type Message, section } from "../blocks.ts"
import { beforeNumbers, count, foreignLine, plainLine } from "../mrkdwn.ts"
import { changeControls } from "./controls.ts"
import { rangeLabel } from "./format.ts"
import { titleOf } from "./report.ts"

const MAX_PATH = 120
const MAX_IN_TEXT = 60

type Movers = ChangeReport["changes"]["rose"]

/** @param id opaque id of the report to which a button leads back */
export function changeMessage(report: ChangeReport, id: string): Message {
  const { selection, changes, previous } = report
  const title = titleOf("What changed in docs traffic", selection)
  const lists: [string, Movers][] = [
    ["Biggest gains", changes.rose],
    ["Biggest drops", changes.fell],
  ]
  const notes = [
    foreignLine(report.project, 60),
    `vs ${rangeLabel(previous, selection.range)}`,
    "people and AI",
    "dates in UTC",
    "small changes are left out",
    !report.whole && "some new or removed pages may be missing",
  ]
  return {
    text: `${foreignLine(title, 150)} (UTC). ${lists.map(asSentence).join(" ")}`,
    blocks: [
      header(title),
      ...lists.flatMap(asList),
      changeControls(id),
      context(notes.filter(Boolean).join(" · ")),
    ],
  }
}

/** Lists pages as plain text, so that nothing in a path becomes markup, a link or a mention. */
function asList([title, movers]: [string, Movers]): KnownBlock[] {
  const lines = movers.map((mover) => `• ${words(mover, plainLine(mover.path, MAX_PATH))}`)
  const text = { type: "plain_text", text: lines.join("\n") || "None.", emoji: false } as const
  return [section(`*${title}*`), { type: "section", text }]
}

function asSentence([title, movers]: [string, Movers]): string {
  const pages = movers.map((mover) => words(mover, foreignLine(mover.path, MAX_IN_TEXT)))
  return `${title}: ${pages.join("; ") || "none"}.`
}

function words({ now, before }: Movers[number], path: string): string {
  const change = `${now > before ? "+" : "−"}${count(Math.abs(now - before))}`
  return `${beforeNumbers(path)} ${count(before)} → ${count(now)} (${change})`
}
