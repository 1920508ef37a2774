import type { Block, KnownBlock } from "@slack/types"
import type { Message } from "../../ports/message.ts"
import { truncateBytes } from "../../text/truncate.ts"
import type { FallbackLevel } from "../../visitors/fallback-level.ts"
import type { RankedTable, Report } from "../../visitors/report.ts"
import { context, header, section } from "../blocks.ts"
import { date, foreignLine, mention, plainLine } from "../mrkdwn.ts"
import { chart, chartAsText, pointNotes } from "./chart.ts"
import { reportControls } from "./controls.ts"
import { figureFields, figureSentence, shareCaveat, shareSentence } from "./figures.ts"
import { count, figureWords, plural, rangeTitle } from "./format.ts"
import { reason } from "./missing.ts"
import { dataTable, plainTable, tableAsText, tableSentence } from "./table.ts"

type Blocks = (KnownBlock | Block)[]

/** Slack cuts an edited message's text at 4,000; bytes. */
const LONGEST_TEXT = 3800
const LONGEST_FILTER = 60

/** Who sees the report, and so what stands above and below the numbers. */
export type Audience =
  /** The person who asked; `id` is the opaque id of the shown report. */
  | { kind: "private"; id: string }
  | { kind: "shared"; by: string }
  | { kind: "digest"; rhythm: string }

/** The answer to one question, as rich as the workspace takes it. */
export function reportMessage(report: Report, audience: Audience, level: FallbackLevel): Message {
  const { question } = report
  const title = `Docs visitors, ${rangeTitle(question.range)}`
  return {
    text: truncateBytes(reportText(report, title), LONGEST_TEXT),
    blocks: [
      header(title),
      ...introduction(audience),
      // The service counts readers of no group of pages, so a filter holds for the table alone.
      ...(question.filter === undefined ? [] : [context("*Whole site*")]),
      figureFields(report),
      ...(report.figures.total === 0 ? [section(shareSentence(report))] : []),
      ...trend(report, level),
      ...pages(report, level),
      ...controls(report, audience),
      context(caveat(report)),
    ],
  }
}

function introduction(audience: Audience): Blocks {
  if (audience.kind === "shared") return [context(`Shared by ${mention(audience.by)}`)]
  return audience.kind === "digest" ? [context(audience.rhythm)] : []
}

function trend({ question: { range }, trend: points }: Report, level: FallbackLevel): Blocks {
  if (points === undefined) return []
  if (!points.known) return [context(`No chart: ${reason(points.why)}.`)]
  return [level === "chart" ? chart(points.value, range) : chartAsText(points.value, range)]
}

function pages({ question, table }: Report, level: FallbackLevel): Blocks {
  if (!table.known) return [context(`No pages: ${reason(table.why)}.`)]
  const { rows } = table.value
  const notes = tableNotes(table.value)
  const note = notes.length > 0 ? [context(notes.join(" "))] : []
  if (level === "chart" && rows.length > 0)
    return [dataTable(rows, tableCaption(question, table.value, plainLine)), ...note]
  const caption = tableCaption(question, table.value, foreignLine)
  if (rows.length === 0) return [section(`${caption}: none.`), ...note]
  const body = level === "table" ? plainTable(rows) : tableAsText(rows)
  return [section(caption), body, ...note]
}

/** @param clean makes the filter safe for the kind of text the caption goes into */
function tableCaption(
  { by, filter }: Report["question"],
  table: RankedTable,
  clean: (text: string, max: number) => string,
): string {
  const first = table.rows[0]?.rank ?? 0
  const last = table.rows.at(-1)?.rank ?? 0
  const span =
    table.rows.length > 0 ? `, ${count(first)}–${count(last)} of ${count(table.matched)}` : ""
  const which = filter === undefined ? "" : ` matching ${clean(filter, LONGEST_FILTER)}`
  return `Top pages${which} by ${figureWords[by]}${span}`
}

function tableNotes(table: RankedTable): string[] {
  const notes: string[] = []
  if (table.end === "cut")
    notes.push(`Ranked from the first ${count(table.ranked)} pages; there are more.`)
  if (table.end === "empty_page" || table.end === "repeated_page")
    notes.push(
      `The service announced more pages after ${count(table.ranked)} but sent none, so pages may be missing.`,
    )
  if (table.repeats > 0)
    notes.push(`${plural(table.repeats, "row", "rows")} came twice, so pages may be missing.`)
  return notes
}

function controls(report: Report, audience: Audience): Blocks {
  if (audience.kind !== "private") return []
  const { question, word, table } = report
  return reportControls({
    id: audience.id,
    word,
    by: question.by,
    table: table.known ? table.value : undefined,
  })
}

/** What the numbers are and are not, in one line. */
function caveat(report: Report): string {
  const { question, previous, before, trend, running, readAt, figures } = report
  return [
    foreignLine(question.project, LONGEST_FILTER),
    `approximate, UTC days${running ? " (today isn't over yet)" : ""}`,
    before.known ? `compared with ${rangeTitle(previous)}` : `not compared: ${reason(before.why)}`,
    ...(figures.total > 0 ? [shareCaveat(report)] : []),
    ...(trend?.known ? pointNotes(trend.value, question.range) : []),
    `as of ${date(readAt)}`,
  ].join(" · ")
}

function reportText(report: Report, title: string): string {
  const { table, question } = report
  const whole = question.filter === undefined ? "" : "Whole site: "
  const share = shareSentence(report).replaceAll("*", "")
  const rows =
    table.known && table.value.rows.length > 0
      ? `${tableCaption(question, table.value, foreignLine)}: ${tableSentence(table.value.rows)}.`
      : ""
  return `${title} (UTC). ${whole}${figureSentence(report)} ${share} ${rows}`.trim()
}
