import type { VisitorsPage } from "../ports/docs-api.ts"

/** The service's largest page. */
export const EXPORT_LIMIT = 250

/**
 * How reading an export ended. The service's API document promises neither an order nor an end, so
 * besides `complete` there are:
 * - `cut`: our own ceiling of pages was reached
 * - `empty_page`: no rows, and yet more were announced
 * - `repeated_page`: nothing but rows seen before
 */
export const walkEnds = ["complete", "cut", "empty_page", "repeated_page"] as const
export type WalkEnd = (typeof walkEnds)[number]

/** Whether to go on after a page. @param fresh rows of it that were not seen before */
export function afterPage(
  page: { rows: number; fresh: number; hasMore: boolean },
  pagesRead: number,
  maxPages: number,
): "more" | WalkEnd {
  if (page.rows > 0 && page.fresh === 0) return "repeated_page"
  if (!page.hasMore) return "complete"
  if (page.rows === 0) return "empty_page"
  return pagesRead >= maxPages ? "cut" : "more"
}

/** Reads an export into memory, each path once. Only for few pages: the whole goes page by page. */
export async function walk(
  read: (offset: number) => Promise<VisitorsPage>,
  maxPages: number,
): Promise<{ rows: VisitorsPage["visitors"]; end: WalkEnd; repeats: number }> {
  const rows = new Map<string, VisitorsPage["visitors"][number]>()
  let repeats = 0
  for (let page = 1; ; page++) {
    const { visitors, hasMore } = await read((page - 1) * EXPORT_LIMIT)
    const known = rows.size
    for (const row of visitors) if (!rows.has(row.path)) rows.set(row.path, row)
    const fresh = rows.size - known
    const next = afterPage({ rows: visitors.length, fresh, hasMore }, page, maxPages)
    // A page that ends the walk by repeating is the sign itself, not a row that moved.
    if (next !== "repeated_page") repeats += visitors.length - fresh
    if (next !== "more") return { rows: [...rows.values()], end: next, repeats }
  }
}
