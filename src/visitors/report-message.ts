import type { KnownBlock, RawNumberElement, RawTextElement } from "@slack/types"
import type { Figures } from "../docs-service/docs-api.ts"
import { bullets, context, header, section, textOfBlocks } from "../messages/blocks.ts"
import {
  beforeNumbers,
  clockTime,
  count,
  foreignLine,
  mention,
  percentWords,
  plainLine,
  upperFirst,
} from "../messages/mrkdwn.ts"
import type { FallbackLevel } from "../slack/message-fallback.ts"
import type { Message, MessageBlock } from "../slack/message-types.ts"
import { chartOf, pointNote } from "./chart.ts"
import { daysIn, rangeLabel, rangeTitle, type Selection } from "./range.ts"
import type { RankedPage, RankedTable, Report, TrendPoint } from "./read-report.ts"
import { reportControls } from "./report-buttons.ts"
import { type Missing, reason } from "./report-unavailable.ts"

const FILTER_SHOWN = 60
/** Maximum length of a path in a cell, in code points; Slack allows a table 10,000 characters. */
const MAX_PATH = 100
const HEAD = ["Page", "People", "AI", "Total"]

const FIGURES: readonly [keyof Figures, string][] = [
  ["human", "People"],
  ["ai", "AI"],
  ["total", "Total"],
]

/** Lines of the chart. */
const DRAWN = {
  People: ({ figures }: TrendPoint) => figures.human,
  AI: ({ figures }: TrendPoint) => figures.ai,
}

/** Person who asked, with the report's opaque id for its controls. */
export type OwnAudience = { kind: "private"; id: string; isDirect: boolean }

/** Audience of a report, which decides what is above and below the numbers. */
export type Audience =
  | OwnAudience
  | { kind: "shared"; by: string }
  /** Readers of a digest. `lead`, above the numbers, is mrkdwn. */
  | { kind: "digest"; lead: string }

/** Renders a report. Its text always has the numbers, of which a chart has no words. */
export function reportMessage(report: Report, audience: Audience, level: FallbackLevel): Message {
  const title = header(titleOf("Docs visitors", report.selection))
  const above = introduction(audience)
  const small = context(caveat(report, audience, level))
  // A digest's lead names the period, too, and says more in a notification.
  const head = audience.kind === "digest" ? [...above, title] : [title, ...above]
  return {
    text: textOfBlocks([...head, ...numbers(report, audience, "text"), small]),
    blocks: [title, ...above, ...numbers(report, audience, level), small],
  }
}

function numbers(report: Report, audience: Audience, level: FallbackLevel): MessageBlock[] {
  const { selection, missing } = report
  return [
    ...(selection.filter === undefined
      ? wholeSite(report, audience, level)
      : pathFirst(report, level)),
    ...(missing ? [context(missingWords(missing, audience))] : []),
    ...(audience.kind === "private" ? reportControls(audience.id, audience.isDirect, report) : []),
  ]
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
  const totals = { type: "section", fields } as const
  if (figures.total === 0) return [totals, section("No visitors in this period.")]
  const isDrawn = trend !== undefined && level === "native"
  const drawn = isDrawn ? [chartOf("People and AI", "Unique visitors", trend, DRAWN)] : []
  return [totals, context(shareWords(figures)), ...drawn, ...pages(report, level)]
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

/** Returns whether the period before has as many days. Months do not always. */
export function isOfEqualLength(of: Pick<Report, "selection" | "previous">): boolean {
  return daysIn(of.selection.range) === daysIn(of.previous)
}

/** Writes the change since the period before, or that of the daily mean if the lengths differ. */
export function changeOf(report: Report, name: keyof Figures): string {
  const { figures, before, previous, selection } = report
  // Multiplies first: the quotient of the lengths is inexact, and equal means would differ.
  const scaled = ((before?.[name] ?? 0) * daysIn(selection.range)) / daysIn(previous)
  const change = changeWords(figures[name], scaled)
  return isOfEqualLength(report) || !/%/.test(change) ? change : `${change} a day`
}

/** Writes `▲ 12%`, `no change` or `new`. */
export function changeWords(now: number, before: number): string {
  if (now === before) return "no change"
  if (before === 0) return "new"
  return `${now > before ? "▲" : "▼"} ${percentWords(now, before)}`
}

function pages({ selection, table }: Report, level: FallbackLevel): MessageBlock[] {
  if (!table) return []
  const blocks = tableBlocks(table, selection, level)
  if (table.end === "cut")
    return [...blocks, context(`Based on the first ${count(table.ranked)} pages.`)]
  return table.end === "doubtful" ? [...blocks, context("Some pages may be missing.")] : blocks
}

function tableBlocks(table: RankedTable, selection: Selection, level: FallbackLevel): KnownBlock[] {
  const { rows } = table
  const caption = captionOf(table, selection, foreignLine)
  if (rows.length === 0) return [section(`${caption}: none.`)]
  if (level === "native") {
    const words = captionOf(table, selection, (...text) => beforeNumbers(plainLine(...text)))
    const size = { page_size: rows.length, row_header_column_index: 0 }
    return [{ type: "data_table", caption: words, rows: cells(rows), ...size }]
  }
  if (level === "table") {
    const right = { align: "right" } as const
    const columns = [{ is_wrapped: true }, right, right, right]
    return [section(caption), { type: "table", rows: cells(rows), column_settings: columns }]
  }
  const lines = rows.map((row) => rowWords(row, plainLine(row.path, MAX_PATH)))
  return [section(caption), bullets(lines)]
}

/** Captions the table. @param clean makes the filter safe for the caption's kind of text */
function captionOf(
  { rows, matched }: RankedTable,
  { filter }: Selection,
  clean: (text: string, max: number) => string,
): string {
  const [first = 0, last = 0] = [rows[0]?.rank, rows.at(-1)?.rank]
  const shown = first === last ? count(first) : `${count(first)}–${count(last)}`
  const span = rows.length > 0 ? `, ${shown} of ${count(matched)}` : ""
  const under = filter === undefined ? "" : ` under ${clean(filter, FILTER_SHOWN)}`
  return `Top pages${under}${span}`
}

function rowWords({ rank, human, ai, total }: RankedPage, path: string): string {
  return `${rank}. ${path}: people ${count(human)}, AI ${count(ai)}, total ${count(total)}`
}

function cells(rows: readonly RankedPage[]): (RawNumberElement | RawTextElement)[][] {
  const text = (words: string) => ({ type: "raw_text", text: words }) as const
  const number = (value: number) => ({ type: "raw_number", value, text: count(value) }) as const
  const body = rows.map(({ path, human, ai, total }) => [
    text(plainLine(path, MAX_PATH)),
    ...[human, ai, total].map(number),
  ])
  return [HEAD.map(text), ...body]
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
    trend && level === "native" && pointNote(trend, selection.range),
    running && `as of ${clockTime(readAt)}`,
    audience.kind === "digest" && "manage: `/docs-visitors subscriptions`",
  ]
    .filter(Boolean)
    .join(" · ")
}
