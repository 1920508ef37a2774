import type { PageVisitors } from "../docs-service/docs-api.ts"
import { orDocsError } from "../docs-service/docs-error.ts"
import { dayOf } from "../lib/time.ts"
import { currentTime } from "../store/script.ts"
import type { Reader } from "./analytics-limit.ts"
import { chartPoints } from "./chart.ts"
import { daysIn, periodBefore, type Range, type Selection } from "./range.ts"
import { type PageList, rowsBelow, type VisitorsContext } from "./read-visitors.ts"
import { type Missing, missingOf } from "./report-unavailable.ts"

/** Rows of a page, few enough to fit on a screen below the figures and the chart. */
const ROWS_PER_PAGE = 5

export type Report = Awaited<ReturnType<typeof readReport>>
export type RankedTable = ReturnType<typeof tableOf>
export type RankedPage = RankedTable["rows"][number]
/** Point of the chart. Each counts its own unique visitors, so they do not add up. */
export type TrendPoint = Awaited<ReturnType<typeof readTrend>>[number]

/** Reads a report; parts other than figures may be missing. @throws DocsError without figures */
export async function readReport(
  { context, readings }: VisitorsContext,
  asked: Selection,
  reader: Reader,
) {
  const { project, range, filter } = asked
  const inRange = (range: Range) => ({ reader, project, range })
  const { value, at: readAt } = await readings.page(inRange(range), 0)
  const previous = periodBefore(range, dayOf(readAt))
  const figures = value.totals
  const isRead = figures.total > 0
  const none: PageList = { rows: [], end: "complete" }
  const missing: Missing[] = []
  const orAbsent = <T>(reading: Promise<T>): Promise<T | undefined> =>
    reading.catch(async (error: unknown) => {
      missing.push(missingOf(orDocsError(error), await currentTime(context.store)))
      return undefined
    })
  const [list, before] = await Promise.all([
    isRead ? orAbsent(readings.pages(inRange(range))) : none,
    orAbsent(readings.figures(inRange(previous))),
  ])
  // Reads the trend last: it takes most requests, and readers miss it least if the hour runs out.
  const hasTrend = filter === undefined && isRead && daysIn(range) > 1
  const trend = hasTrend ? await orAbsent(readTrend(readings, asked, reader)) : undefined
  const table = list && tableOf(list, asked)
  return {
    /** Selection as shown: a page past the end becomes the last one. */
    selection: { ...asked, page: table?.page ?? asked.page },
    project: context.settings.projects.nameOf(project),
    /** Whole site's figures, even with a path: the service counts no readers of groups of pages. */
    figures,
    previous,
    before,
    /** Chart's points; absent if not read, without visitors, for a single day, and with a path. */
    trend,
    table,
    missing: missing[0],
    /** True if the numbers are older than the end of the range. */
    running: range.to >= dayOf(readAt),
    readAt,
  }
}

/** Reads the figures of each point of the chart. */
function readTrend(
  readings: VisitorsContext["readings"],
  { project, range }: Selection,
  reader: Reader,
) {
  return Promise.all(
    chartPoints(range).map(async (point) => ({
      range: point,
      figures: await readings.figures({ reader, project, range: point }),
    })),
  )
}

function tableOf(list: PageList, { filter, page }: Selection) {
  const ranked = rank(rowsBelow(list, filter))
  const pages = Math.max(1, Math.ceil(ranked.length / ROWS_PER_PAGE))
  const shown = Math.min(page, pages)
  const offset = (shown - 1) * ROWS_PER_PAGE
  return {
    rows: ranked.slice(offset, offset + ROWS_PER_PAGE),
    page: shown,
    pages,
    matched: ranked.length,
    /** Number of rows before the filter. */
    ranked: list.rows.length,
    end: list.end,
  }
}

/** Ranks pages by total, then by people, then by path, so that the order is stable. */
export function rank(rows: readonly PageVisitors[]) {
  return rows
    .toSorted((a, b) => b.total - a.total || b.human - a.human || (a.path < b.path ? -1 : 1))
    .map((row, i) => ({ ...row, rank: i + 1 }))
}
