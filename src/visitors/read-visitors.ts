import type { DocsApi } from "../docs-service/docs-client.ts"
import { pathOf } from "../docs-service/reader-signals.ts"
import {
  type Figures,
  figuresSchema,
  type PageVisitors,
  type VisitorsPage,
  visitorsPageSchema,
} from "../docs-service/response-shapes.ts"
import { defined } from "../lib/defined.ts"
import type { LimitAnalytics, Reader } from "./analytics-limit.ts"
import { type Range, serviceDates } from "./range.ts"
import type { ReadingCache } from "./visitors-cache.ts"

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

/** Creates the readings, which throw DocsError. A shared one counts in the first reader's hour. */
export function createReadings(docs: DocsApi, limit: LimitAnalytics, cached: ReadingCache) {
  function page(reader: Reader, project: string, range: Range, offset: number) {
    const query = { ...serviceDates(range), limit: EXPORT_LIMIT, offset }
    return cached(visitorsPageSchema, { kind: "page", project, range, part: `${offset}` }, () =>
      limit(reader, project, () => docs.visitors(project, query)),
    )
  }

  /** Reads the pages of a ranking, with at most `RANKED_PAGES` requests. @throws DocsError */
  function pages(reader: Reader, project: string, range: Range): Promise<PageList> {
    return walk(async (offset) => (await page(reader, project, range, offset)).value, RANKED_PAGES)
  }

  return {
    page,
    pages,

    /**
     * Reads the totals of a range, with one request; or adds up those of the paths that begin with
     * the filter, among at most 2,500, which counts a person once per page.
     */
    async figures(reader: Reader, project: string, range: Range, filter?: string) {
      const read = async () => {
        if (filter === undefined) {
          const query = { ...serviceDates(range), limit: 1, offset: 0 }
          return (await limit(reader, project, () => docs.visitors(project, query))).totals
        }
        const rows = rowsBelow(await pages(reader, project, range), filter)
        const sum = (of: keyof Figures) => rows.reduce((n, row) => n + row[of], 0)
        return { human: sum("human"), ai: sum("ai"), total: sum("total") }
      }
      const id = { kind: "figures", project, range, ...defined({ part: filter }) } as const
      return (await cached(figuresSchema, id, read)).value
    },
  }
}

/** Returns the rows whose path begins so, as in a URL or readable; `/guides/` covers `/guides`. */
export function rowsBelow({ rows }: Pick<PageList, "rows">, filter = ""): PageVisitors[] {
  const begins = (path: string) => `${path}/`.startsWith(filter)
  return rows.filter(({ path }) => begins(path) || begins(pathOf(path)))
}
