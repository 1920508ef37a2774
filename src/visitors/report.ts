import { z } from "zod"
import type { Figures, PageVisitors } from "../docs/schema.ts"
import { DocsError, type DocsFault, orDocsError } from "../errors/docs-error.ts"
import type { Clock } from "../runtime/time.ts"
import { changes } from "./changes.ts"
import { addDays, dayOf, daysIn, shareOver } from "./day.ts"
import type { Reader } from "./hour.ts"
import { periodBefore, type Range, wordOf } from "./range.ts"
import type { PageList, Readings } from "./readings.ts"

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

/** The reason that something could not be read. */
export interface Missing {
  fault: DocsFault | "own_share" | "restarted" | "unexpected"
  /** The time another try makes sense, ms. */
  retryAt?: number
}

/** One point of the chart. Its visitors are unique within it, so points do not add up. */
export interface Point {
  range: Range
  figures: Figures
}

/** Rows of the table in one message: below figures and chart they still fit a screen. */
const ROWS_PER_PAGE = 5
/** Slack's chart takes at most 20 points, and each one costs a request. */
const MAX_POINTS = 20

export type AskVisitors = ReturnType<typeof createVisitorsQuery>
type Answered<Of extends keyof AskVisitors> = Extract<
  Awaited<ReturnType<AskVisitors[Of]>>,
  { report: unknown }
>["report"]
/** Everything the answer to one question says. A part that is missing is never shown as a guess. */
export type Report = Answered<"report">
export type ChangeReport = Answered<"changed">
export type RankedTable = ReturnType<typeof tableOf>
export type RankedPage = RankedTable["rows"][number]

export function createVisitorsQuery(
  readings: Readings,
  now: Clock,
  nameOf: (project: string) => string,
) {
  async function readReport(asked: Question, reader: Reader, previous: Range) {
    const { project, range, filter } = asked
    const { value, at: readAt } = await readings.page(reader, project, range, 0)
    const figures = value.totals
    const isRead = figures.total > 0
    const missing: Missing[] = []
    const orAbsent = async <T>(reading: Promise<T>): Promise<T | undefined> => {
      const found = await orMissing(now, reading)
      if ("report" in found) return found.report
      missing.push(found.missing)
      return undefined
    }
    const [list, before] = await Promise.all([
      isRead ? orAbsent(readings.pages(reader, project, range)) : NO_PAGES,
      orAbsent(readings.figures(reader, project, previous)),
    ])
    // Last: it takes most requests and is missed least when the hour is short.
    const hasTrend = filter === undefined && isRead && daysIn(range) > 1
    const read = async (stretch: Range) => ({
      range: stretch,
      figures: await readings.figures(reader, project, stretch),
    })
    const trend = hasTrend ? await orAbsent(Promise.all(stretches(range).map(read))) : undefined
    const today = dayOf(await now())
    return {
      question: asked,
      /** As people name it. */
      project: nameOf(project),
      /** For the range, when it has one today. */
      word: wordOf(range, today),
      /** The whole site's, with or without a path: the service counts readers of no group of pages. */
      figures,
      previous,
      before,
      /** Absent also for a range that is one point only, and with a path. */
      trend,
      table: list && tableOf(list, asked),
      /** The reason that a part could not be read; absent if none is missing. */
      missing: missing[0],
      /** The range holds the current UTC day. */
      running: range.to >= today,
      /** The time the reported period was read, ms. */
      readAt,
    }
  }

  async function readChanges(asked: Question, reader: Reader) {
    const { project, range, filter = "" } = asked
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
    return {
      question: asked,
      project: nameOf(project),
      previous,
      changes: changes(sample(later), sample(earlier), over),
      /** Both periods were read to their end. */
      whole: later.end === "complete" && earlier.end === "complete",
      running: over < 1,
    }
  }

  return {
    /**
     * Figures first: without them there is no answer; every other part may be missing on its own.
     * @param previous what it is compared with, where that is not the period before
     */
    report: (asked: Question, reader: Reader, previous = periodBefore(asked.range)) =>
      orMissing(now, readReport(asked, reader, previous)),
    /** Changes against the period before: all or nothing. */
    changed: (asked: Question, reader: Reader) => orMissing(now, readChanges(asked, reader)),
  }
}

export async function orMissing<T>(
  now: Clock,
  reading: Promise<T>,
): Promise<{ report: T } | { missing: Missing }> {
  const report = await reading.catch(orDocsError)
  return report instanceof DocsError ? { missing: missingOf(report, await now()) } : { report }
}

export function missingOf({ fault, ownShare, retryAfterMs }: DocsError, now: number): Missing {
  return {
    fault: ownShare ? "own_share" : fault,
    ...(retryAfterMs === undefined ? {} : { retryAt: now + retryAfterMs }),
  }
}

const NO_PAGES: PageList = { rows: [], end: "complete" }

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
function tableOf({ rows, end }: PageList, { filter = "", page }: Question) {
  const ranked = rank(rows.filter(({ path }) => path.startsWith(filter)))
  const pages = Math.max(1, Math.ceil(ranked.length / ROWS_PER_PAGE))
  const shown = Math.min(page, pages)
  const offset = (shown - 1) * ROWS_PER_PAGE
  return {
    rows: ranked.slice(offset, offset + ROWS_PER_PAGE),
    page: shown,
    pages,
    /** Rows that match, over all pages. */
    matched: ranked.length,
    /** Rows of the export that were ranked, before the filter. */
    ranked: rows.length,
    /** The export holds more than was ranked. */
    isCut: end === "cut",
    /** The service's pages did not fit together. */
    isDoubtful: end === "odd",
  }
}

/** Most read first; the same count goes by people, then by path, so that an order is stable. */
export function rank(rows: readonly PageVisitors[]) {
  return rows
    .toSorted((a, b) => b.total - a.total || b.human - a.human || (a.path < b.path ? -1 : 1))
    .map((row, i) => ({ ...row, rank: i + 1 }))
}
