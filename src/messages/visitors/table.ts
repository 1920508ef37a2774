import type {
  DataTableBlock,
  KnownBlock,
  RawNumberElement,
  RawTextElement,
  TableBlock,
} from "@slack/types"
import type { RankedPage } from "../../visitors/report.ts"
import { foreignLine, plainLine } from "../mrkdwn.ts"
import { count } from "./format.ts"

/** The longest path in a cell, code points: ten of them stay far below Slack's 10,000 characters. */
const LONGEST_PATH = 100
/** The longest path in `text`, code points: ten of them with their numbers stay below 1,500 characters. */
const LONGEST_IN_TEXT = 80
const HEAD = ["Page", "People", "AI", "Total"]

type Cell = RawNumberElement | RawTextElement

export function dataTable(rows: readonly RankedPage[], caption: string): DataTableBlock {
  return {
    type: "data_table",
    caption,
    rows: cells(rows),
    page_size: Math.max(1, rows.length),
    row_header_column_index: 0,
  }
}

export function plainTable(rows: readonly RankedPage[]): TableBlock {
  const right = { align: "right" } as const
  return {
    type: "table",
    rows: cells(rows),
    column_settings: [{ is_wrapped: true }, right, right, right],
  }
}

/** Writes the rows as plain text, in which a path cannot format, link or mention. */
export function tableAsText(rows: readonly RankedPage[]): KnownBlock {
  const lines = rows.map((row) => rowWords(row, plainLine(row.path, LONGEST_PATH)))
  const text = { type: "plain_text", text: lines.join("\n"), emoji: false } as const
  return { type: "section", text }
}

/** Writes the rows as a sentence, for screen readers and notifications. */
export function tableSentence(rows: readonly RankedPage[]): string {
  return rows.map((row) => rowWords(row, foreignLine(row.path, LONGEST_IN_TEXT))).join("; ")
}

function rowWords({ rank, human, ai, total }: RankedPage, path: string): string {
  return `${rank}. ${path}: people ${count(human)}, AI ${count(ai)}, total ${count(total)}`
}

function cells(rows: readonly RankedPage[]): Cell[][] {
  return [
    HEAD.map(text),
    ...rows.map(({ path, human, ai, total }) => [
      text(plainLine(path, LONGEST_PATH)),
      number(human),
      number(ai),
      number(total),
    ]),
  ]
}

function text(words: string): RawTextElement {
  return { type: "raw_text", text: words }
}

function number(value: number): RawNumberElement {
  return { type: "raw_number", value, text: count(value) }
}
