import {
  type DocsApi,
  type Figures,
  figuresSchema,
  type PageVisitors,
  type VisitorsPage,
  visitorsPageSchema,
} from "../docs-service/docs-api.ts"
import { pathOf } from "../docs-service/reader-signals.ts"
import type { Context } from "../jobs/context.ts"
import { limitAnalytics } from "./analytics-limit.ts"
import { serviceDates } from "./range.ts"
import { type Asked, createReadingCache } from "./visitors-cache.ts"

/** Rows per request of the export, the most that the service allows. */
const EXPORT_LIMIT = 250

/** Pages of a range, as far as the bot read them; the service promises no order and no end. */
export interface PageList {
  rows: PageVisitors[]
  end: ExportEnd
}

/**
 * - `complete`: no page is left
 * - `doubtful`: no page is left, but announced rows were missing, or rows came twice
 * - `cut`: the bot reached its own limit
 * - `stopped`: the reader gave up
 */
export type ExportEnd = "complete" | "doubtful" | "cut" | "stopped"

/** Reads while the service announces more, each path once. @param read returns undefined to stop */
export async function walk(
  read: (offset: number, rows: number) => Promise<VisitorsPage | undefined>,
  maxPages: number,
): Promise<PageList> {
  const rows = new Map<string, PageVisitors>()
  let last: ExportEnd = "complete"
  const ended = (end: ExportEnd) => ({ rows: [...rows.values()], end })
  for (let n = 0; n < maxPages; n++) {
    const page = await read(n * EXPORT_LIMIT, rows.size)
    if (!page) return ended("stopped")
    const known = rows.size
    for (const row of page.visitors) if (!rows.has(row.path)) rows.set(row.path, row)
    const fresh = rows.size - known
    // The next request skips a whole page, also past the rows that a short one left out.
    if (fresh < (page.hasMore ? EXPORT_LIMIT : page.visitors.length)) last = "doubtful"
    if (fresh === 0 || !page.hasMore) return ended(last)
  }
  return ended("cut")
}

/** Maximum requests of a ranking, `EXPORT_LIMIT` rows each. */
const RANKED_PAGES = 10

export type Readings = ReturnType<typeof createReadings>

/** Context of the use cases about visitors: that of all, and the readings. */
export interface VisitorsContext {
  context: Context
  readings: Readings
}

export function createVisitorsContext(context: Context): VisitorsContext {
  return { context, readings: createReadings(context) }
}

/** Request about a project and the days of a period, as the service takes them. */
export type AnalyticsRequest<T> = (
  docs: DocsApi,
  project: string,
  days: ReturnType<typeof serviceDates>,
) => Promise<T>

/** Creates the readings, which throw DocsError. A shared one counts in the first reader's hour. */
function createReadings({ store, docs, settings }: Context) {
  const cached = createReadingCache(store)
  const limit = limitAnalytics(store, {
    perHour: settings.limits.analyticsPerHour,
    timeoutMs: settings.docs.timeoutMs,
    accountOf: settings.projects.keyIdOf,
  })

  /** Requests something about a period, within the hour. */
  function ask<T>({ reader, project, range }: Asked, request: AnalyticsRequest<T>): Promise<T> {
    return limit(reader, project, () => request(docs.api, project, serviceDates(range)))
  }

  function page(asked: Asked, offset: number) {
    return cached(visitorsPageSchema, { kind: "page", ...asked, part: `${offset}` }, () =>
      visitors(asked, EXPORT_LIMIT, offset),
    )
  }

  function visitors(asked: Asked, limit: number, offset: number) {
    return ask(asked, (docs, project, days) => docs.visitors(project, { ...days, limit, offset }))
  }

  /** Reads the pages of a ranking, with at most `RANKED_PAGES` requests. @throws DocsError */
  function pages(asked: Asked): Promise<PageList> {
    return walk(async (offset) => (await page(asked, offset)).value, RANKED_PAGES)
  }

  return {
    ask,
    cached,
    page,
    pages,

    /**
     * Reads the totals of a range, with one request; or adds up those of the paths that begin with
     * the filter, among at most 2,500, which counts a person once per page.
     */
    async figures(asked: Asked, filter?: string) {
      const read = async () => {
        if (filter === undefined) return (await visitors(asked, 1, 0)).totals
        const rows = rowsBelow(await pages(asked), filter)
        const sum = (of: keyof Figures) => rows.reduce((n, row) => n + row[of], 0)
        return { human: sum("human"), ai: sum("ai"), total: sum("total") }
      }
      return (await cached(figuresSchema, { kind: "figures", ...asked, part: filter }, read)).value
    },
  }
}

/** Returns the rows whose path begins so, as in a URL or readable; `/guides/` covers `/guides`. */
export function rowsBelow({ rows }: Pick<PageList, "rows">, filter = ""): PageVisitors[] {
  const begins = (path: string) => `${path}/`.startsWith(filter)
  return rows.filter(({ path }) => begins(path) || begins(pathOf(path)))
}
