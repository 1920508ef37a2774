import type { Range } from "./range.ts"
import { addDays, daysIn } from "./utc-day.ts"

/** Maximum points of a chart: Slack accepts 20, and each one costs a request. */
const MAX_POINTS = 20

/**
 * Splits a range into at most `MAX_POINTS` parts of equal length: single days if they fit,
 * otherwise whole weeks, so that weekends do not make the line zigzag. The weeks end where the range
 * ends; the days before the first whole one are left out.
 */
export function chartPoints({ from, to }: Pick<Range, "from" | "to">): Range[] {
  const days = daysIn({ from, to })
  const length = days <= MAX_POINTS ? 1 : 7 * Math.ceil(days / 7 / MAX_POINTS)
  const count = Math.floor(days / length)
  const start = (n: number) => addDays(to, 1 - length * (count - n))
  return Array.from({ length: count }, (_, n) => {
    return { from: start(n), to: addDays(start(n + 1), -1) }
  })
}
