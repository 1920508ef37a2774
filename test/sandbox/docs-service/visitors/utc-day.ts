const DAY_MS = 86_400_000

/** A UTC day as the number of days since 1970-01-01. */
export type UtcDay = number

export interface DayRange {
  readonly from: UtcDay
  /** Exclusive. */
  readonly to: UtcDay
}

export function utcDayOf(ms: number): UtcDay {
  return Math.floor(ms / DAY_MS)
}

/** How much of its day has passed, in [0, 1). */
export function dayFraction(ms: number): number {
  return ms / DAY_MS - utcDayOf(ms)
}

export function utcDay(year: number, month: number, day: number): UtcDay {
  return Date.UTC(year, month - 1, day) / DAY_MS
}
