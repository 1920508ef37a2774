export const DAY_MS = 86_400_000

export type UtcDay = number

export interface DayRange {
  readonly from: UtcDay
  readonly to: UtcDay
}

export function utcDayOf(ms: number): UtcDay {
  return Math.floor(ms / DAY_MS)
}

/** Returns the UTC day of a date that passed the schema. @throws RangeError if it is invalid. */
export function dayOf(text: string): UtcDay {
  const isLocal = text.includes("T") && !/(Z|[+-]\d\d:\d\d)$/.test(text)
  const day = utcDayOf(Date.parse(isLocal ? `${text}Z` : text))
  if (Number.isNaN(day)) throw new RangeError(`${text} is not a date; use YYYY-MM-DD`)
  return day
}
