import type { KnownBlock } from "@slack/types"
import type { ChangeReport } from "../../visitors/report.ts"
import { context, header, type Message, section } from "../blocks.ts"
import { beforeNumbers, count, foreignLine, plainLine } from "../mrkdwn.ts"
import { changeControls } from "./controls.ts"
import { rangeLabel } from "./format.ts"
import { type Audience, introduction, titleOf } from "./report.ts"

const MAX_PATH = 120
const MAX_IN_TEXT = 60

type Movers = ChangeReport["changes"]["rose"]

export function changeMessage(report: ChangeReport, audience: Audience): Message {
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
    report.running && "the last day isn't complete, so only large drops are shown",
  ]
  return {
    text: `${foreignLine(title, 150)} (UTC). ${lists.map(asSentence).join(" ")}`,
    blocks: [
      header(title),
      ...introduction(audience),
      ...lists.flatMap(asList),
      ...(audience.kind === "private" ? [changeControls(audience.id)] : []),
      context(notes.filter(Boolean).join(" · ")),
    ],
  }
}

function numbers({ now, before }: Movers[number]): string {
  const sign = now > before ? "+" : "−"
  return `${count(before)} → ${count(now)} (${sign}${count(Math.abs(now - before))})`
}

/** Lists pages as rich text, so that nothing in a path becomes markup, a link or a mention. */
function asList([title, movers]: [string, Movers]): KnownBlock[] {
  if (movers.length === 0) return [section(`*${title}*\nNone.`)]
  const elements = movers.map((mover) => {
    const text = beforeNumbers(plainLine(mover.path, MAX_PATH))
    const path = { type: "text", text, style: { code: true } } as const
    const change = { type: "text", text: `  ${numbers(mover)}` } as const
    return { type: "rich_text_section" as const, elements: [path, change] }
  })
  const list = { type: "rich_text_list", style: "bullet", elements } as const
  return [section(`*${title}*`), { type: "rich_text", elements: [list] }]
}

function asSentence([title, movers]: [string, Movers]): string {
  const path = (mover: Movers[number]) => beforeNumbers(foreignLine(mover.path, MAX_IN_TEXT))
  const words = movers.map((mover) => `${path(mover)} ${numbers(mover)}`)
  return `${title}: ${words.join("; ") || "none"}.`
}
