import { addDays, daysIn } from "./day.ts"
import type { Range } from "./range.ts"

/** Slack's chart takes at most 20 points, and each one costs a request. */
export const MAX_BUCKETS = 20

/**
 * Cuts a range into at most 20 stretches: single days, or whole weeks, as with any other length the
 * weekends make the line a zigzag. Where the weeks do not fill the range its first days are left
 * out: a shorter stretch would look like a rise or a fall in readers.
 */
export function buckets(range: Range): Range[] {
  const days = daysIn(range)
  const size = bucketSize(days)
  const result: Range[] = []
  let from = addDays(range.from, days % size)
  while (from <= range.to) {
    const to = addDays(from, size - 1)
    result.push({ from, to })
    from = addDays(to, 1)
  }
  return result
}

function bucketSize(days: number): number {
  return days <= MAX_BUCKETS ? 1 : 7 * Math.ceil(days / (7 * MAX_BUCKETS))
}
