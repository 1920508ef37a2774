import type { Figures } from "../ports/docs-api.ts"
import type { Clock } from "../runtime/clock.ts"
import { dayOf } from "./day.ts"
import type { ExportSize } from "./export-ports.ts"
import { estimateSize } from "./export-size.ts"
import { type Range, serviceDates } from "./range.ts"
import { createReadOnce, type Fetched } from "./read-once.ts"
import type { Reader, ReadVisitors, SharedReadings } from "./reading-ports.ts"
import type { PageList, Reading } from "./report.ts"
import { EXPORT_LIMIT, walk } from "./walk.ts"

/** The ranking reads at most this many pages of the export: 2,500 rows. */
export const RANKED_PAGES = 10
/** How long numbers are kept, ms: of days that are over, and of a day that still runs. */
const CLOSED_MS = 24 * 3_600_000
const RUNNING_MS = 5 * 60_000
/** The service's data lags by minutes, so a day counts as running until an hour after its end; ms. */
const LAG_MS = 3_600_000

/**
 * Everything that is read of the service, each question once for all who ask; it counts for the one who
 * asked first. Throws DocsError.
 */
export interface Readings {
  /** One request. */
  figures(reader: Reader, project: string, range: Range): Promise<Reading<Figures>>
  /** At most ten requests; all of them or none. */
  pages(reader: Reader, project: string, range: Range): Promise<Reading<PageList>>
  /** About how long an export is that is longer than the ranking reads. */
  size(reader: Reader, project: string, range: Range): Promise<Reading<ExportSize>>
}

/** @param options `subjectOf`: what tells a project's numbers from all others, whatever it is called */
export function createReadings(
  visitors: ReadVisitors,
  shared: {
    figures: SharedReadings<Figures>
    pages: SharedReadings<PageList>
    size: SharedReadings<ExportSize>
  },
  { now, subjectOf }: { now: Clock; subjectOf: (project: string) => string },
): Readings {
  const once = {
    figures: createReadOnce(shared.figures),
    pages: createReadOnce(shared.pages),
    size: createReadOnce(shared.size),
  }
  const keyOf = (project: string, { from, to }: Range) => `${subjectOf(project)}:${from}:${to}`
  /** The moment before the first request: nothing shown is older than it says. */
  const stamped = async <T>(range: Range, read: () => Promise<T>): Promise<Fetched<T>> => {
    const at = await now()
    return { reading: { value: await read(), at }, keepMs: keepMs(range, at) }
  }
  const page = (reader: Reader, project: string, range: Range, limit: number, offset: number) =>
    visitors(reader, project, { ...serviceDates(range), limit, offset })

  return {
    figures: (reader, project, range) =>
      once.figures(keyOf(project, range), () =>
        stamped(range, async () => (await page(reader, project, range, 1, 0)).totals),
      ),

    pages: (reader, project, range) =>
      once.pages(keyOf(project, range), (renew) =>
        stamped(range, () =>
          walk(async (offset) => {
            const read = await page(reader, project, range, EXPORT_LIMIT, offset)
            await renew()
            return read
          }, RANKED_PAGES),
        ),
      ),

    size: (reader, project, range) =>
      once.size(keyOf(project, range), (renew) =>
        stamped(range, () =>
          estimateSize(async (offset) => {
            const { visitors: rows, hasMore } = await page(reader, project, range, 1, offset)
            await renew()
            return { rows: rows.length, hasMore }
          }, RANKED_PAGES * EXPORT_LIMIT),
        ),
      ),
  }
}

/** How long numbers of a range are kept, ms. @param now when they were read */
export function keepMs(range: Range, now: number): number {
  return range.to < dayOf(now - LAG_MS) ? CLOSED_MS : RUNNING_MS
}
