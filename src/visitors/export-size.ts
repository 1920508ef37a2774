import type { ExportSize } from "./export-ports.ts"

/** An export is not counted further than this; a million rows take forty hours of requests. */
export const LARGEST_EXPORT = 1_000_000
/** Near enough: the upper end is at most this much above the lower one. */
const CLOSE_ENOUGH = 1.25

/**
 * About how many rows an export has. The service does not say, so single rows are asked for at
 * doubling offsets, then in between: about eight requests for 100,000 rows.
 * @param known rows that are certainly there
 */
export async function estimateSize(
  probe: (offset: number) => Promise<{ rows: number; hasMore: boolean }>,
  known: number,
): Promise<ExportSize> {
  let low = known
  let high = Number.POSITIVE_INFINITY
  let offset = known * 2
  while (high > low * CLOSE_ENOUGH && low < LARGEST_EXPORT) {
    const { rows, hasMore } = await probe(offset)
    if (rows > 0 && !hasMore) return { low: offset + rows, high: offset + rows }
    if (rows > 0) low = offset + rows
    else high = offset
    offset = high === Number.POSITIVE_INFINITY ? low * 2 : Math.floor((low + high) / 2)
  }
  return { low, high: Math.max(low, Math.min(high, LARGEST_EXPORT)) }
}
