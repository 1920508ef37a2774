import type { DocsError, DocsFault } from "../errors/docs-error.ts"
import type { Figures, PageVisitors } from "../ports/docs-api.ts"
import type { Changes } from "./changes.ts"
import type { Change, Share } from "./compare.ts"
import type { FigureName, Question } from "./question.ts"
import type { Range, RangeWord } from "./range.ts"
import type { PageTable } from "./ranking.ts"
import type { WalkEnd } from "./walk.ts"

/** Something read from the service, and when, ms. */
export interface Reading<T> {
  value: T
  at: number
}

/** The pages of a range as far as they were read. */
export interface PageList {
  rows: PageVisitors[]
  end: WalkEnd
  /** Rows that came again on a later page: the service's order moved while it was read. */
  repeats: number
}

/** Why something could not be read. */
export interface Missing {
  /**
   * Beside the service's faults: half of the hour is used by this person, a page had more rows than
   * were asked for, and whatever went wrong here.
   */
  fault: DocsFault | "own_share" | "oversized" | "unexpected"
  /** When another try makes sense, ms. */
  retryAt?: number
  /** What is wrong with the answer, where it is that. */
  detail?: string
}

/** A part of an answer: known, or missing with its reason. A part is never shown as a guess. */
export type Part<T> = { known: true; value: T } | { known: false; why: Missing }

/** One point of the chart. Its visitors are unique within it, so points do not add up. */
export interface Point {
  range: Range
  days: number
  figures: Figures
}

export interface Before {
  figures: Figures
  changes: Record<FigureName, Change>
}

export interface RankedTable extends PageTable {
  /** Rows of the export that were ranked, before the filter. */
  ranked: number
  end: WalkEnd
  repeats: number
}

/** Everything the answer to one question says. */
export interface Report {
  question: Question
  /** The word for the range, when it has one today. */
  word: RangeWord | undefined
  /** Of the whole site, with or without a filter: the service counts readers of no group of pages. */
  figures: Figures
  aiShare: Share
  previous: Range
  before: Part<Before>
  /** Absent for a range that is one point only. */
  trend: Part<Point[]> | undefined
  table: Part<RankedTable>
  /** The range holds the current UTC day. */
  running: boolean
  /** When the oldest of the figures was read, ms. */
  readAt: number
}

/** What changed against the period before. */
export interface ChangeReport {
  question: Question
  previous: Range
  changes: Changes
  /** Both periods were read to their end. */
  whole: boolean
  running: boolean
  readAt: number
}

export function missing(error: DocsError, now: number): Missing {
  const { retryAfterMs, detail } = error
  const fault = error.ownShare ? "own_share" : error.fault
  return {
    fault,
    ...(retryAfterMs === undefined ? {} : { retryAt: now + retryAfterMs }),
    ...(fault === "broken_body" && detail ? { detail } : {}),
  }
}
