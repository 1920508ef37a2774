import type { Block, KnownBlock } from "@slack/types"
import type { Figures } from "../../docs/schema.ts"
import { truncateBytes } from "../../text/truncate.ts"
import type { FallbackLevel } from "../../visitors/fallback.ts"
import type { Question, RankedTable, Report } from "../../visitors/report.ts"
import type { Message } from "../blocks.ts"
import { context, header, section } from "../blocks.ts"
import { clockTime, foreignLine, mention, plainLine } from "../mrkdwn.ts"
import { chart, pointNote } from "./chart.ts"
import { reportControls } from "./controls.ts"
import { changeWords, count, rangeLabel, rangeTitle } from "./format.ts"
import { reason } from "./notices.ts"
import { dataTable, plainTable, tableAsText, tableSentence } from "./table.ts"

type Blocks = (KnownBlock | Block)[]

/** The longest text, bytes; Slack cuts an edited message's text at 4,000. */
const LONGEST_TEXT = 3800
const LONGEST_FILTER = 60

const FIGURES: readonly [keyof Figures, string][] = [
  ["human", "People"],
  ["ai", "AI"],
  ["total", "Total"],
]

/** The audience of the report, which decides what is above and below the numbers. */
export type Audience =
  /** The person who asked; `id` is the opaque id of the shown report. */
  | { kind: "private"; id: string }
  | { kind: "shared"; by: string }
  /** A digest's readers; `lead` and `aside` are the bot's own text. */
  | { kind: "digest"; lead: string; aside: string }

/** Renders the answer to one question, at the given level of richness. */
export function reportMessage(report: Report, audience: Audience, level: FallbackLevel): Message {
  const { question, word, table, missing } = report
  const title = titleOf("Docs visitors", question)
  const controls = audience.kind === "private" ? reportControls(audience.id, word, table) : []
  return {
    text: truncateBytes(`${leadOf(audience)}${reportText(report, title)}`, LONGEST_TEXT),
    blocks: [
      header(title),
      ...introduction(audience),
      ...(question.filter === undefined ? wholeSite(report, level) : pathFirst(report, level)),
      ...(missing ? [context(`Some numbers couldn't be loaded: ${reason(missing)}.`)] : []),
      ...controls,
      context(caveat(report, audience, level)),
    ],
  }
}

/** Titles the numbers with their place and range. */
export function titleOf(what: string, { range, filter }: Question): string {
  const place = filter === undefined ? "" : ` on ${plainLine(filter, LONGEST_FILTER)}`
  return `${what}${place}, ${rangeTitle(range)}`
}

/** Makes the lead above an answer that everybody in a channel sees. */
export function introduction(audience: Audience): Blocks {
  if (audience.kind === "shared") return [context(`Shared by ${mention(audience.by)}`)]
  return audience.kind === "digest" ? [section(audience.lead)] : []
}

function wholeSite(report: Report, level: FallbackLevel): Blocks {
  const { figures, trend } = report
  return [
    {
      type: "section",
      fields: FIGURES.map(([name, label]) => ({
        type: "mrkdwn",
        text: `${label} *${count(figures[name])}*${comparison(report, name)}`,
        verbatim: true,
      })),
    },
    figures.total === 0 ? section("No visitors in this period.") : context(shareWords(figures)),
    ...(trend && level === "chart" ? [chart(trend)] : []),
    ...(figures.total === 0 ? [] : pages(report, level)),
  ]
}

/**
 * Shows the pages below a path first and the whole site in small print, because the service does
 * not count readers of a group of pages.
 */
function pathFirst(report: Report, level: FallbackLevel): Blocks {
  const words = FIGURES.map(([name, label]) => `${label} ${count(report.figures[name])}`)
  return [...pages(report, level), context(`Whole site: ${words.join(" · ")}`)]
}

/** Shows the AI share. Shows no figure as a part of another, because the service may count one visitor as both. */
function shareWords({ ai, total }: Figures): string {
  const both = "some visitors count as both people and AI"
  const percent = Math.round((ai / total) * 100)
  if (ai > total) return `S${both.slice(1)}`
  return `${percent === 0 && ai > 0 ? "Less than 1%" : `About ${percent}%`} AI · ${both}`
}

/**
 * Compares a figure with the period before. Shows no change while today is running, because half a
 * day compared with a whole one is no drop.
 */
function comparison({ figures, before, running }: Report, name: keyof Figures): string {
  if (!before) return running ? " · so far" : ""
  const was = before[name]
  return ` · ${running ? "so far" : changeWords(figures[name], was)} (was ${count(was)})`
}

function pages({ question, table }: Report, level: FallbackLevel): Blocks {
  if (!table) return []
  const { rows, isCut, isDoubtful, ranked } = table
  const note = [
    ...(isCut ? [`Based on the first ${count(ranked)} pages.`] : []),
    ...(isDoubtful ? ["Some pages may be missing."] : []),
  ].join(" ")
  const notes = note === "" ? [] : [context(note)]
  if (level === "chart" && rows.length > 0)
    return [dataTable(rows, tableCaption(question, table, plainLine)), ...notes]
  const caption = tableCaption(question, table, foreignLine)
  if (rows.length === 0) return [section(`${caption}: none.`), ...notes]
  return [section(caption), level === "table" ? plainTable(rows) : tableAsText(rows), ...notes]
}

/** Captions the table. @param clean makes the filter safe for the caption's kind of text */
function tableCaption(
  { filter }: Question,
  { rows, matched }: RankedTable,
  clean: (text: string, max: number) => string,
): string {
  const [first = 0, last = 0] = [rows[0]?.rank, rows.at(-1)?.rank]
  const span = rows.length > 0 ? `, ${count(first)}–${count(last)} of ${count(matched)}` : ""
  const below = filter === undefined ? "" : ` below ${clean(filter, LONGEST_FILTER)}`
  return `Top pages${below}${span}`
}

/**
 * Explains the numbers in one line. Leaves out the time of the reading for a past period, whose
 * numbers no longer change.
 */
function caveat(report: Report, audience: Audience, level: FallbackLevel): string {
  const { project, question, previous, before, trend, running, readAt } = report
  const isCompared = question.filter === undefined && before !== undefined
  return [
    foreignLine(project, LONGEST_FILTER),
    ...(isCompared ? [`vs ${rangeLabel(previous)}`] : []),
    "dates in UTC",
    "counts are approximate",
    ...(trend && level === "chart" ? [pointNote(trend)] : []),
    ...(running ? ["today isn't over", `updated ${clockTime(readAt)}`] : []),
    ...(audience.kind === "digest" ? [audience.aside] : []),
  ].join(" · ")
}

/** Writes the text for screen readers and notifications, with the numbers whatever the blocks show. */
function reportText(report: Report, title: string): string {
  const { table, question, figures } = report
  const words = FIGURES.map(
    ([name, label]) => `${label} ${count(figures[name])}${comparison(report, name)}`,
  )
  const site = `${question.filter === undefined ? "" : "Whole site: "}${words.join(", ")}.`
  const rows =
    table && table.rows.length > 0
      ? `${tableCaption(question, table, foreignLine)}: ${tableSentence(table.rows)}.`
      : ""
  const share = figures.total === 0 ? "No visitors in this period." : `${shareWords(figures)}.`
  const parts = question.filter === undefined ? [site, share, rows] : [rows, site, share]
  return [`${foreignLine(title, 150)} (UTC).`, ...parts].filter((part) => part !== "").join(" ")
}

function leadOf(audience: Audience): string {
  return audience.kind === "digest" ? `${audience.lead.replaceAll("*", "")} ` : ""
}
