export const DAY_MS = 86_400_000

export type UtcDay = number

export interface DayRange {
  readonly from: UtcDay
  readonly to: UtcDay
}

export function utcDayOf(ms: number): UtcDay {
  return Math.floor(ms / DAY_MS)
}
