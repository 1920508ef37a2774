import { addDays, daysIn } from "./day.ts"
import type { Range } from "./range.ts"

/** Slack's chart takes at most 20 points, and each one costs a request. */
export const MAX_BUCKETS = 20

/**
 * Cuts a range into at most 20 stretches of equal length. Where no length divides the range evenly
 * the FIRST stretch is shorter: a short last one would look like a fall in readers.
 */
export function buckets(range: Range): Range[] {
  const days = daysIn(range)
  const size = bucketSize(days)
  const result: Range[] = []
  let from = range.from
  let length = days % size || size
  while (from <= range.to) {
    const to = addDays(from, length - 1)
    result.push({ from, to })
    from = addDays(to, 1)
    length = size
  }
  return result
}

/** The shortest even length of up to twice the needed one, else the needed one. */
function bucketSize(days: number): number {
  const needed = Math.ceil(days / MAX_BUCKETS)
  for (let size = needed; size <= needed * 2; size++) if (days % size === 0) return size
  return needed
}
