import type { PageVisitors, VisitorsPage } from "../docs-service/answers.ts"

/** Rows per request of the export, the most that the service allows. */
export const EXPORT_LIMIT = 250

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
