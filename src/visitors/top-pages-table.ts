import type { KnownBlock, RawNumberElement, RawTextElement } from "@slack/types"
import { bullets, section } from "../messages/blocks.ts"
import { beforeNumbers, count, foreignLine, plainLine } from "../messages/mrkdwn.ts"
import type { FallbackLevel } from "../slack/message-fallback.ts"
import type { Selection } from "./range.ts"
import type { RankedPage, RankedTable } from "./read-report.ts"

/** Maximum length of a path in a cell, in code points; Slack allows a table 10,000 characters. */
const MAX_PATH = 100
/** Maximum length of a path in `text`, in code points, so that all rows of a page fit. */
const MAX_IN_TEXT = 80
const FILTER_SHOWN = 60
const HEAD = ["Page", "People", "AI", "Total"]

export function tableBlocks(
  table: RankedTable,
  selection: Selection,
  level: FallbackLevel,
): KnownBlock[] {
  const { rows } = table
  const caption = captionOf(table, selection, foreignLine)
  if (rows.length === 0) return [section(`${caption}: none.`)]
  if (level === "chart") {
    const words = captionOf(table, selection, plainLine)
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

export function tableSentence(table: RankedTable, selection: Selection): string {
  const words = table.rows.map((row) => rowWords(row, foreignLine(row.path, MAX_IN_TEXT)))
  return `${captionOf(table, selection, foreignLine)}: ${words.join("; ") || "none"}.`
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
  const under = filter === undefined ? "" : ` under ${beforeNumbers(clean(filter, FILTER_SHOWN))}`
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
