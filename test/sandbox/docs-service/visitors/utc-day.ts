const DAY_MS = 86_400_000

export type UtcDay = number

export interface DayRange {
  readonly from: UtcDay
  readonly to: UtcDay
}

export function utcDayOf(ms: number): UtcDay {
  return Math.floor(ms / DAY_MS)
}

export function dayFraction(ms: number): number {
  return ms / DAY_MS - utcDayOf(ms)
}

export function utcDay(year: number, month: number, day: number): UtcDay {
  return Date.UTC(year, month - 1, day) / DAY_MS
}
