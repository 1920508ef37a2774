import type { Figures } from "../docs-service/response-shapes.ts"
import { truncateBytes } from "../lib/truncate.ts"
import { context, header, section } from "../messages/blocks.ts"
import {
  clockTime,
  count,
  foreignLine,
  mention,
  plainLine,
  upperFirst,
} from "../messages/mrkdwn.ts"
import type { FallbackLevel } from "../slack/message-fallback.ts"
import type { Message, MessageBlock } from "../slack/message-types.ts"
import { chart, pointNote } from "./chart.ts"
import { daysIn, type Selection } from "./range.ts"
import { changeOf, isOfEqualLength, rangeLabel, rangeTitle } from "./range-and-change-words.ts"
import type { Report } from "./read-report.ts"
import { reportControls } from "./report-buttons.ts"
import { type Missing, reason } from "./report-unavailable.ts"
import { tableBlocks, tableSentence } from "./top-pages-table.ts"

/** Maximum length of the text, in bytes; Slack cuts an edited message's text at 4,000. */
const MAX_TEXT = 3800
const FILTER_SHOWN = 60

const NOBODY = "No visitors in this period."
const FIGURES: readonly [keyof Figures, string][] = [
  ["human", "People"],
  ["ai", "AI"],
  ["total", "Total"],
]

/** Audience of a report, which decides what is above and below the numbers. */
export type Audience =
  /** Person who asked; see `reportControls`. */
  | { kind: "private"; id: string; isDirect: boolean }
  | { kind: "shared"; by: string }
  /** Readers of a digest. `lead`, above the numbers, is mrkdwn. */
  | { kind: "digest"; lead: string }

export function reportMessage(report: Report, audience: Audience, level: FallbackLevel): Message {
  const { selection, missing } = report
  const title = titleOf("Docs visitors", selection)
  const lead = audience.kind === "digest" ? `${audience.lead.replaceAll("*", "")} ` : ""
  return {
    text: truncateBytes(`${lead}${reportText(report, title)}`, MAX_TEXT),
    blocks: [
      header(title),
      ...introduction(audience),
      ...(selection.filter === undefined
        ? wholeSite(report, audience, level)
        : pathFirst(report, level)),
      ...(missing ? [context(missingWords(missing, audience))] : []),
      ...(audience.kind === "private"
        ? reportControls(audience.id, audience.isDirect, report)
        : []),
      context(caveat(report, audience, level)),
    ],
  }
}

/** Says why numbers are missing; in a channel, one person's used-up share reads as the limit. */
function missingWords(missing: Missing, { kind }: Audience): string {
  const isTheirs = kind !== "private" && missing.fault === "own_share"
  return `Couldn't load some numbers: ${reason(isTheirs ? { ...missing, fault: "rate_limited" } : missing)}.`
}

export function titleOf(what: string, { range, filter }: Selection): string {
  const place = filter === undefined ? "" : ` under ${plainLine(filter, FILTER_SHOWN)}`
  return `${what}${place}, ${rangeTitle(range)}`
}

/** Makes the lead above an answer that everybody in a channel sees. */
function introduction(audience: Audience): MessageBlock[] {
  if (audience.kind === "shared") return [context(`Shared by ${mention(audience.by)}`)]
  return audience.kind === "digest" ? [section(audience.lead)] : []
}

function wholeSite(report: Report, { kind }: Audience, level: FallbackLevel): MessageBlock[] {
  const { figures, trend } = report
  const shown = FIGURES.filter(([name]) => kind !== "digest" || name !== "total")
  const fields = shown.map(([name, label]) => {
    const text = `${label} *${count(figures[name])}*${comparison(report, name)}`
    return { type: "mrkdwn", text, verbatim: true } as const
  })
  const numbers = { type: "section", fields } as const
  if (figures.total === 0) return [numbers, section(NOBODY)]
  const drawn = trend && level === "chart" ? [chart(trend)] : []
  return [numbers, context(shareWords(figures)), ...drawn, ...pages(report, level)]
}

/** Shows the whole site in small print: the service does not count readers of a group of pages. */
function pathFirst(report: Report, level: FallbackLevel): MessageBlock[] {
  const words = FIGURES.map(([name, label]) => `${label} ${count(report.figures[name])}`)
  return [...pages(report, level), context(`Whole site: ${words.join(" · ")}`)]
}

/** Writes AI's share, and if the two overlap: the service may count a visitor as both. */
function shareWords({ human, ai, total }: Figures): string {
  const both = "some visitors count as both people and AI"
  const percent = Math.round((ai / total) * 100)
  if (ai > total) return upperFirst(both)
  const about = ai === 0 || ai === total ? `${percent}%` : `About ${percent}%`
  const share = `${percent === 0 && ai > 0 ? "Less than 1%" : about} AI`
  return human + ai > total ? `${share} · ${both}` : share
}

/** Writes the change, but not before the range is over: half a day would look like a drop. */
function comparison(report: Report, name: keyof Figures): string {
  const { selection, before, previous, running } = report
  const soFar = running ? " so far" : ""
  if (!before) return soFar
  const earlier = count(before[name])
  if (running) return `${soFar} · ${rangeLabel(previous, selection.range)}: ${earlier}`
  const inDays = isOfEqualLength(report) ? "" : ` in ${daysIn(previous)} days`
  return ` · ${changeOf(report, name)} (was ${earlier}${inDays})`
}

function pages({ selection, table }: Report, level: FallbackLevel): MessageBlock[] {
  if (!table) return []
  const blocks = tableBlocks(table, selection, level)
  if (table.end === "cut")
    return [...blocks, context(`Based on the first ${count(table.ranked)} pages.`)]
  return table.end === "doubtful" ? [...blocks, context("Some pages may be missing.")] : blocks
}

/** Writes the small print; says when the numbers were read only if they can still change. */
function caveat(report: Report, audience: Audience, level: FallbackLevel): string {
  const { project, selection, previous, before, trend, running, readAt } = report
  return [
    foreignLine(project, FILTER_SHOWN),
    selection.filter === undefined &&
      before &&
      audience.kind !== "digest" &&
      `vs ${rangeLabel(previous, selection.range)}`,
    "dates in UTC",
    "counts are approximate",
    trend && level === "chart" && pointNote(trend, selection.range),
    running && `as of ${clockTime(readAt)}`,
    audience.kind === "digest" && "manage: `/docs-visitors subscriptions`",
  ]
    .filter(Boolean)
    .join(" · ")
}

/** Writes the text for screen readers and notifications, with numbers that blocks may lack. */
function reportText(report: Report, title: string): string {
  const { table, selection, figures } = report
  const words = FIGURES.map(
    ([name, label]) => `${label} ${count(figures[name])}${comparison(report, name)}`,
  )
  const site = `${words.join(", ")}. ${figures.total === 0 ? NOBODY : `${shareWords(figures)}.`}`
  const isAsked = figures.total > 0 || selection.filter !== undefined
  const rows = table && isAsked ? tableSentence(table, selection) : ""
  const parts = selection.filter === undefined ? [site, rows] : [rows, `Whole site: ${site}`]
  return [`${foreignLine(title, 150)} (UTC).`, ...parts].filter(Boolean).join(" ")
}
