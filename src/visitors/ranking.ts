import type { PageVisitors } from "../ports/docs-api.ts"
import { matches } from "./filter.ts"
import type { FigureName, Question } from "./question.ts"

/** Rows of the table in one message: below figures and chart they still fit a screen. */
export const ROWS_PER_PAGE = 5

export interface RankedPage extends PageVisitors {
  /** 1 is the most read. */
  rank: number
}

/** One page of the ranked table. */
export interface PageTable {
  rows: RankedPage[]
  page: number
  pages: number
  /** Rows that match, over all pages. */
  matched: number
}

/** Most read first; the same count goes by the other figures, then by path, so that an order is stable. */
export function rank(rows: readonly PageVisitors[], by: FigureName): RankedPage[] {
  return rows
    .toSorted(
      (a, b) => b[by] - a[by] || b.total - a.total || b.human - a.human || comparePaths(a, b),
    )
    .map((row, i) => ({ ...row, rank: i + 1 }))
}

/** The asked page of the ranking; a page past the end gives the last one. */
export function tableOf(
  all: readonly PageVisitors[],
  { by, filter, page }: Pick<Question, "by" | "filter" | "page">,
): PageTable {
  const matched = filter === undefined ? all : all.filter((row) => matches(row.path, filter))
  const ranked = rank(matched, by)
  const pages = Math.max(1, Math.ceil(ranked.length / ROWS_PER_PAGE))
  const shown = Math.min(Math.max(1, page), pages)
  const offset = (shown - 1) * ROWS_PER_PAGE
  return {
    rows: ranked.slice(offset, offset + ROWS_PER_PAGE),
    page: shown,
    pages,
    matched: ranked.length,
  }
}

/** By code units: the same on every machine, unlike a locale's order. */
function comparePaths(a: PageVisitors, b: PageVisitors): number {
  return a.path < b.path ? -1 : Number(a.path > b.path)
}
