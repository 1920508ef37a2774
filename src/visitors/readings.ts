import { createHash } from "node:crypto"
import type { DocsApi, Figures, PageVisitors, VisitorsPage } from "../ports/docs-api.ts"
import type { Clock } from "../runtime/time.ts"
import { type Day, dayOf, daysIn } from "./day.ts"
import { type Range, serviceDates } from "./range.ts"
import type { SharedReadings } from "./shared-readings.ts"

/** For whom something is read; undefined for nobody in particular, as a digest. */
export type Reader = string | undefined

/** Makes one analytics request within the hour. Throws DocsError. */
export type LimitAnalytics = <T>(
  reader: Reader,
  project: string,
  request: () => Promise<T>,
) => Promise<T>

/** Something read from the service, and when, ms. */
export interface Reading<T> {
  value: T
  at: number
}

/** The service's largest page. */
const EXPORT_LIMIT = 250
/** The ranking reads at most this many pages of the export: 2,500 rows. */
const RANKED_PAGES = 10

/**
 * How reading an export ended. The service's document promises neither an order nor an end, so besides
 * `complete` there are:
 * - `cut`: our own ceiling of pages was reached
 * - `odd`: more was announced, and then came nothing, or nothing but rows seen before
 * - `stopped`: the reader gave up
 */
type WalkEnd = "complete" | "cut" | "odd" | "stopped"

/** The pages of a range as far as they were read. */
export interface PageList {
  rows: PageVisitors[]
  end: WalkEnd
  /** A row came again on a later page: the order moved while it was read. */
  moved: boolean
}

const HOUR_MS = 3_600_000
/** How long numbers of a day that still runs are kept, ms. */
const RUNNING_MS = 5 * 60_000
/** The service's data lags by minutes, so a day counts as running until an hour after its end; ms. */
const LAG_MS = HOUR_MS
/** An alert compares a day with the same one in each of eight weeks. */
const SINGLE_DAY_MS = 60 * 24 * HOUR_MS

export type Readings = ReturnType<typeof createReadings>

/**
 * Everything that is read of the visitors, each request once for all who ask; it counts for the one who
 * asked first. Projects go by their keys, whatever they are called. Every reading throws DocsError.
 */
export function createReadings(
  visitors: DocsApi["visitors"],
  { limit, shared, now }: ReadingOptions,
) {
  const keyOf = (project: string, { from, to }: Range) => `${project}:${from}:${to}`

  /** The moment is that before the request: nothing is older than it says. */
  async function stamped<T>(range: Range, read: () => Promise<T>) {
    const at = await now()
    return { reading: { value: await read(), at }, keepMs: keepMs(range, at) }
  }

  function page(reader: Reader, project: string, range: Range, offset: number) {
    const query = { ...serviceDates(range), limit: EXPORT_LIMIT, offset }
    const read = () => limit(reader, project, () => visitors(project, query))
    return shared.page.once(`${keyOf(project, range)}:${offset}`, () => stamped(range, read))
  }

  function pages(reader: Reader, project: string, range: Range): Promise<PageList> {
    const read = async (offset: number) => (await page(reader, project, range, offset)).value
    return walk(read, RANKED_PAGES)
  }

  return {
    /** One page of the export. */
    page,
    /** At most ten pages; all of them or none. */
    pages,

    /** One request for the totals of a range. */
    figures(reader: Reader, project: string, range: Range): Promise<Reading<Figures>> {
      const query = { ...serviceDates(range), limit: 1, offset: 0 }
      const read = async () => (await limit(reader, project, () => visitors(project, query))).totals
      return shared.figures.once(keyOf(project, range), () => stamped(range, read))
    },

    /**
     * Readers of the pages below a path on one day, added up over the pages: one number from week to
     * week, if not one of different people.
     */
    async below(project: string, day: Day, filter: string): Promise<Figures> {
      const range = { from: day, to: day }
      const path = createHash("sha256").update(filter).digest("base64url").slice(0, 22)
      const read = async () => {
        const { rows } = await pages(undefined, project, range)
        return sumOf(rows.filter((row) => row.path.startsWith(filter)))
      }
      const key = `${keyOf(project, range)}:${path}`
      return (await shared.figures.once(key, () => stamped(range, read))).value
    },
  }
}

interface ReadingOptions {
  limit: LimitAnalytics
  shared: SharedReadings
  now: Clock
}

/** How long numbers of a range are kept, ms. @param at when they were read */
export function keepMs(range: Range, at: number): number {
  if (range.to >= dayOf(at - LAG_MS)) return RUNNING_MS
  return daysIn(range) === 1 ? SINGLE_DAY_MS : 24 * HOUR_MS
}

function sumOf(rows: readonly PageVisitors[]): Figures {
  const sum = { human: 0, ai: 0, total: 0 }
  for (const { human, ai, total } of rows) {
    sum.human += human
    sum.ai += ai
    sum.total += total
  }
  return sum
}

/**
 * Reads an export, each path once: page n at offset (n - 1) * 250, as long as more is announced.
 * @param read undefined to stop there
 */
export async function walk(
  read: (offset: number, rows: number) => Promise<VisitorsPage | undefined>,
  maxPages: number,
): Promise<PageList> {
  const rows = new Map<string, PageVisitors>()
  let moved = false
  const ended = (end: WalkEnd) => ({ rows: [...rows.values()], end, moved })
  for (let n = 0; n < maxPages; n++) {
    const page = await read(n * EXPORT_LIMIT, rows.size)
    if (!page) return ended("stopped")
    const known = rows.size
    for (const row of page.visitors) if (!rows.has(row.path)) rows.set(row.path, row)
    const fresh = rows.size - known
    const isRepeated = page.visitors.length > 0 && fresh === 0
    if (!isRepeated && fresh < page.visitors.length) moved = true
    if (!page.hasMore && !isRepeated) return ended("complete")
    if (fresh === 0) return ended("odd")
  }
  return ended("cut")
}
