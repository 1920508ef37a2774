import { DocsError, orDocsError } from "../errors/docs-error.ts"
import type { Figures } from "../ports/docs-api.ts"
import type { Clock } from "../runtime/clock.ts"
import { buckets } from "./buckets.ts"
import { changes } from "./changes.ts"
import { change, share } from "./compare.ts"
import { dayOf, daysIn, shareOver } from "./day.ts"
import type { Question } from "./question.ts"
import { periodBefore, type Range, wordOf } from "./range.ts"
import { tableOf } from "./ranking.ts"
import type { Reader } from "./reading-ports.ts"
import type { Readings } from "./readings.ts"
import {
  type Before,
  type ChangeReport,
  type Missing,
  missing,
  type PageList,
  type Part,
  type Point,
  type RankedTable,
  type Reading,
  type Report,
} from "./report.ts"

type Answer<T> = { kind: "answer"; report: T } | { kind: "unavailable"; why: Missing }

export interface AskVisitors {
  /** Figures first: without them there is no answer; every other part may be missing on its own. */
  report(question: Question, reader: Reader): Promise<Answer<Report>>
  /** What changed against the period before: all of it or nothing. */
  changed(question: Question, reader: Reader): Promise<Answer<ChangeReport>>
}

export function createVisitorsQuery(readings: Readings, now: Clock): AskVisitors {
  return {
    report: (question, reader) => answer(now, readReport(question, by(reader, readings), now)),
    changed: (question, reader) => answer(now, readChanges(question, by(reader, readings), now)),
  }
}

/** The readings for one reader. */
interface ReadingsFor {
  figures(project: string, range: Range): Promise<Reading<Figures>>
  pages(project: string, range: Range): Promise<Reading<PageList>>
}

function by(reader: Reader, readings: Readings): ReadingsFor {
  return {
    figures: (project, range) => readings.figures(reader, project, range),
    pages: (project, range) => readings.pages(reader, project, range),
  }
}

async function answer<T>(now: Clock, reading: Promise<T>): Promise<Answer<T>> {
  const report = await reading.catch(orDocsError)
  if (report instanceof DocsError) return { kind: "unavailable", why: missing(report, await now()) }
  return { kind: "answer", report }
}

async function readReport(question: Question, readings: ReadingsFor, now: Clock): Promise<Report> {
  const { project, range } = question
  const ages: number[] = []
  const part = <T>(reading: Promise<Reading<T>>) => readPart(reading, ages, now)
  const { value: figures, at } = await readings.figures(project, range)
  const previous = periodBefore(range)
  const isRead = figures.total > 0
  const [pages, before] = await Promise.all([
    isRead ? part(readings.pages(project, range)) : NO_PAGES,
    part(readings.figures(project, previous)),
  ])
  // Last, as it takes most requests and is missed least when the hour is short.
  const trend = isRead ? await part(readTrend(project, range, readings)) : undefined
  const today = dayOf(await now())
  return {
    question,
    word: wordOf(range, today),
    figures,
    aiShare: share(figures.ai, figures.total),
    previous,
    before: mapPart(before, (earlier) => compare(figures, earlier)),
    trend: trend?.known && trend.value.length < 2 ? undefined : trend,
    table: mapPart(pages, (list) => rankedTable(list, question)),
    running: range.to >= today,
    readAt: Math.min(at, ...ages),
  }
}

const NO_PAGES: Part<PageList> = { known: true, value: { rows: [], end: "complete", repeats: 0 } }

async function readPart<T>(
  reading: Promise<Reading<T>>,
  ages: number[],
  now: Clock,
): Promise<Part<T>> {
  const read = await reading.catch(orDocsError)
  if (read instanceof DocsError) return { known: false, why: missing(read, await now()) }
  ages.push(read.at)
  return { known: true, value: read.value }
}

/** Real uniques for each stretch, one request each: sums of days would count readers twice. */
async function readTrend(
  project: string,
  range: Range,
  readings: ReadingsFor,
): Promise<Reading<Point[]>> {
  const stretches = buckets(range)
  if (stretches.length < 2) return { value: [], at: Number.POSITIVE_INFINITY }
  const read = await Promise.all(
    stretches.map(async (stretch) => {
      const { value, at } = await readings.figures(project, stretch)
      return { at, point: { range: stretch, days: daysIn(stretch), figures: value } }
    }),
  )
  return { value: read.map(({ point }) => point), at: Math.min(...read.map(({ at }) => at)) }
}

function compare(now: Figures, before: Figures): Before {
  return {
    figures: before,
    changes: {
      human: change(now.human, before.human),
      ai: change(now.ai, before.ai),
      total: change(now.total, before.total),
    },
  }
}

function rankedTable({ rows, end, repeats }: PageList, question: Question): RankedTable {
  return { ...tableOf(rows, question), ranked: rows.length, end, repeats }
}

async function readChanges(
  question: Question,
  readings: ReadingsFor,
  now: Clock,
): Promise<ChangeReport> {
  const { project, range } = question
  const previous = periodBefore(range)
  const [later, earlier] = await Promise.all([
    readings.pages(project, range),
    readings.pages(project, previous),
  ])
  const sample = ({ rows, end }: PageList) => ({ rows, whole: end === "complete" })
  const over = shareOver(range, await now())
  return {
    question,
    previous,
    changes: changes(sample(later.value), sample(earlier.value), question.by, over),
    whole: later.value.end === "complete" && earlier.value.end === "complete",
    running: over < 1,
    readAt: Math.min(later.at, earlier.at),
  }
}

function mapPart<A, B>(part: Part<A>, map: (value: A) => B): Part<B> {
  return part.known ? { known: true, value: map(part.value) } : part
}
