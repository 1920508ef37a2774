import { z } from "zod"
import { DocsError, type DocsFault, orDocsError } from "../errors/docs-error.ts"
import type { Figures, PageVisitors } from "../ports/docs-api.ts"
import type { Clock } from "../runtime/time.ts"
import { type Changes, changes } from "./changes.ts"
import { addDays, dayOf, daysIn, shareOver } from "./day.ts"
import { periodBefore, type Range, type RangeWord, wordOf } from "./range.ts"
import type { PageList, Reader, Readings } from "./readings.ts"

/** One question about the visitors. */
export const question = z.object({
  /** Its key. */
  project: z.string(),
  range: z.object({ from: z.iso.date(), to: z.iso.date() }),
  /** The start of a path. */
  filter: z.string().exactOptional(),
  /** 1 is the first page of the table. */
  page: z.number().int().positive(),
})
export type Question = z.infer<typeof question>

/** Why something could not be read. */
export interface Missing {
  fault: DocsFault | "own_share" | "unexpected"
  /** When another try makes sense, ms. */
  retryAt?: number
}

/** A part of an answer: known, or missing with its reason. A part is never shown as a guess. */
type Part<T> = { known: true; value: T } | { known: false; why: Missing }

/** One point of the chart. Its visitors are unique within it, so points do not add up. */
export interface Point {
  range: Range
  figures: Figures
}

export interface RankedPage extends PageVisitors {
  /** 1 is the most read. */
  rank: number
}

/** One page of the ranked table. */
export interface RankedTable {
  rows: RankedPage[]
  page: number
  pages: number
  /** Rows that match, over all pages. */
  matched: number
  /** Rows of the export that were ranked, before the filter. */
  ranked: number
  /** The export holds more than was ranked. */
  isCut: boolean
  /** The service's pages did not fit together. */
  isDoubtful: boolean
}

/** Everything the answer to one question says. */
export interface Report {
  question: Question
  /** The project as people name it. */
  project: string
  /** The word for the range, when it has one today. */
  word: RangeWord | undefined
  /** The whole site's figures, with or without a path: the service counts readers of no group of pages. */
  figures: Figures
  previous: Range
  before: Part<Figures>
  /** Absent for a range that is one point only, and with a path. */
  trend: Part<Point[]> | undefined
  table: Part<RankedTable>
  /** The range holds the current UTC day. */
  running: boolean
  /** When the reported period was read, ms. */
  readAt: number
}

/** What changed against the period before. */
export interface ChangeReport {
  question: Question
  project: string
  previous: Range
  changes: Changes
  /** Both periods were read to their end. */
  whole: boolean
  running: boolean
}

export type Answer<T> = { kind: "answer"; report: T } | { kind: "unavailable"; why: Missing }

/** Rows of the table in one message: below figures and chart they still fit a screen. */
const ROWS_PER_PAGE = 5
/** Slack's chart takes at most 20 points, and each one costs a request. */
const MAX_POINTS = 20

export type AskVisitors = ReturnType<typeof createVisitorsQuery>

export function createVisitorsQuery(
  readings: Readings,
  now: Clock,
  nameOf: (project: string) => string,
) {
  return {
    /**
     * Figures first: without them there is no answer; every other part may be missing on its own.
     * @param previous what it is compared with, where that is not the period before
     */
    report: (question: Question, reader: Reader, previous = periodBefore(question.range)) =>
      answer(now, readReport({ question, reader, previous, readings, now, nameOf })),
    /** Changes against the period before: all or nothing. */
    changed: (question: Question, reader: Reader) =>
      answer(now, readChanges({ question, reader, readings, now, nameOf })),
  }
}

export async function answer<T>(now: Clock, reading: Promise<T>): Promise<Answer<T>> {
  const report = await reading.catch(orDocsError)
  return report instanceof DocsError
    ? { kind: "unavailable", why: missing(report, await now()) }
    : { kind: "answer", report }
}

export function missing({ fault, ownShare, retryAfterMs }: DocsError, now: number): Missing {
  return {
    fault: ownShare ? "own_share" : fault,
    ...(retryAfterMs === undefined ? {} : { retryAt: now + retryAfterMs }),
  }
}

interface Reporting {
  question: Question
  reader: Reader
  readings: Readings
  now: Clock
  nameOf: (project: string) => string
}

async function readReport({
  question,
  reader,
  previous,
  readings,
  now,
  nameOf,
}: Reporting & { previous: Range }) {
  const { project, range, filter } = question
  const first = await readings.page(reader, project, range, 0)
  const figures = first.value.totals
  const isRead = figures.total > 0
  const [pages, before] = await Promise.all([
    isRead ? part(now, readings.pages(reader, project, range)) : NO_PAGES,
    part(now, readings.figures(reader, project, previous)),
  ])
  // Last: it takes most requests and is missed least when the hour is short.
  const points = filter === undefined && isRead && daysIn(range) > 1 ? stretches(range) : []
  const read = async (stretch: Range) => {
    const { value } = await readings.figures(reader, project, stretch)
    return { range: stretch, figures: value }
  }
  const trend = points.length > 0 ? await part(now, Promise.all(points.map(read))) : undefined
  const today = dayOf(await now())
  const report: Report = {
    question,
    project: nameOf(project),
    word: wordOf(range, today),
    figures,
    previous,
    before: mapPart(before, ({ value }) => value),
    trend,
    table: mapPart(pages, (list) => tableOf(list, question)),
    running: range.to >= today,
    readAt: first.at,
  }
  return report
}

const NO_PAGES: Part<PageList> = { known: true, value: { rows: [], end: "complete", moved: false } }

async function part<T>(now: Clock, reading: Promise<T>): Promise<Part<T>> {
  const value = await reading.catch(orDocsError)
  return value instanceof DocsError
    ? { known: false, why: missing(value, await now()) }
    : { known: true, value }
}

function mapPart<A, B>(from: Part<A>, map: (value: A) => B): Part<B> {
  return from.known ? { known: true, value: map(from.value) } : from
}

/**
 * Cuts a range into the points of its chart: single days, or stretches of a week and a little more, so
 * that weekends do not make the line a zigzag. They cover the whole range, and differ by a day at most.
 */
export function stretches(range: Range): Range[] {
  const days = daysIn(range)
  const count = days <= MAX_POINTS ? days : Math.min(MAX_POINTS, Math.floor(days / 7))
  const start = (n: number) => addDays(range.from, Math.round((n * days) / count))
  return Array.from({ length: count }, (_, n) => ({
    from: start(n),
    to: addDays(start(n + 1), -1),
  }))
}

/** The asked page of the ranking; a page past the end gives the last one. */
function tableOf({ rows, end, moved }: PageList, { filter = "", page }: Question): RankedTable {
  const ranked = rank(rows.filter(({ path }) => path.startsWith(filter)))
  const pages = Math.max(1, Math.ceil(ranked.length / ROWS_PER_PAGE))
  const shown = Math.min(page, pages)
  const offset = (shown - 1) * ROWS_PER_PAGE
  return {
    rows: ranked.slice(offset, offset + ROWS_PER_PAGE),
    page: shown,
    pages,
    matched: ranked.length,
    ranked: rows.length,
    isCut: end === "cut",
    isDoubtful: end === "odd" || moved,
  }
}

/** Most read first; the same count goes by people, then by path, so that an order is stable. */
export function rank(rows: readonly PageVisitors[]): RankedPage[] {
  return rows
    .toSorted((a, b) => b.total - a.total || b.human - a.human || (a.path < b.path ? -1 : 1))
    .map((row, i) => ({ ...row, rank: i + 1 }))
}

async function readChanges({ question, reader, readings, now, nameOf }: Reporting) {
  const { project, range, filter = "" } = question
  const previous = periodBefore(range)
  const [later, earlier] = await Promise.all([
    readings.pages(reader, project, range),
    readings.pages(reader, project, previous),
  ])
  const sample = ({ rows, end }: PageList) => ({
    rows: rows.filter(({ path }) => path.startsWith(filter)),
    whole: end === "complete",
  })
  const over = shareOver(range, await now())
  const report: ChangeReport = {
    question,
    project: nameOf(project),
    previous,
    changes: changes(sample(later), sample(earlier), over),
    whole: later.end === "complete" && earlier.end === "complete",
    running: over < 1,
  }
  return report
}
