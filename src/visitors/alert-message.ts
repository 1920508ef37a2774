import { button, context, plain, section } from "../messages/blocks.ts"
import { count, counted, foreignLine } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { UnusualDay, Watch } from "./alerts.ts"
import { percentWords, rangeLabel, weekdayOf } from "./range-words.ts"

/** Action of the button beside an alert; its value is the opaque id of the report. */
export const ALERT_REPORT = "alert_report"

const MAX_PATH = 80

/** Unusual day, with its project's name and its report's opaque id. */
export type AlertLine = UnusualDay & { project: string; report: string }

export function alertMessage(lines: readonly [AlertLine, ...AlertLine[]]): Message {
  const open = { action: ALERT_REPORT, label: "Open the report" }
  const blocks = lines.map((one) => section(textOf(one), button({ ...open, value: one.report })))
  const about = `Compared with the previous 8 ${weekdayOf(lines[0].day)}s (UTC) · manage: \`/docs-visitors alert list\``
  const text = lines.map((one) => plain(textOf(one))).join(" ")
  return { text, blocks: [...blocks, context(about)] }
}

/** Writes "Docs traffic dropped on Fri, Nov 13: 20 people, down 78% from the usual 90 · docs". */
function textOf({ watch, project, day, visitors, usual }: AlertLine): string {
  const [verb, way] = visitors < usual ? ["dropped", "down"] : ["rose", "up"]
  const when = `${weekdayOf(day).slice(0, 3)}, ${rangeLabel({ from: day, to: day })}`
  const change = `${way} ${percentWords(visitors, usual)} from the usual ${count(Math.round(usual))}`
  const visits = `${counted(visitors, ...namesOf(watch))}${onPages(watch)}`
  return `*Docs traffic ${verb} on ${when}*: ${visits}, ${change} · ${foreignLine(project, 40)}`
}

/** Writes what an alert counts, such as "people" or "AI page visits under /guides". */
export function watchWords(watch: Watch): string {
  return `${namesOf(watch)[1]}${onPages(watch)}`
}

/** Names what an alert counts, one and many. With a path, a reader of two pages counts twice. */
function namesOf({ of, filter }: Watch): [string, string] {
  if (filter === undefined)
    return of === "ai" ? ["AI visitor", "AI visitors"] : ["person", "people"]
  if (of === "ai") return ["AI page visit", "AI page visits"]
  return ["page visit by people", "page visits by people"]
}

function onPages({ filter }: Watch): string {
  return filter === undefined ? "" : ` under ${foreignLine(filter, MAX_PATH)}`
}
