import { DateTime } from "luxon"

/** A UTC day as `YYYY-MM-DD`. Days compare as strings. */
export type Day = string

const DAY_MS = 86_400_000

/** The UTC day of a moment. @param at ms */
export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10)
}

/**
 * Tells whether this day exists, in the form `YYYY-MM-DD`. From the year 1000 on: the days before it are
 * asked for as well, and those of the year before 0 have six digits and a sign.
 */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && dayOf(at) === text
}

/** The first moment of a day, ms. */
export function startOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function addDays(day: Day, days: number): Day {
  return dayOf(startOf(day) + days * DAY_MS)
}

/** Days from the first to the last, both counted: 1 when they are the same. */
export function daysIn({ from, to }: { from: Day; to: Day }): number {
  return Math.round((startOf(to) - startOf(from)) / DAY_MS) + 1
}

/** Returns the share of a range that is over: 1 if it ended, less while its last day is running. @param at ms */
export function shareOver(range: { from: Day; to: Day }, at: number): number {
  return Math.min(1, Math.max(0, (at - startOf(range.from)) / (daysIn(range) * DAY_MS)))
}

/** The Monday of a day's week. */
export function mondayOf(day: Day): Day {
  const weekday = new Date(startOf(day)).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

export function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 7)}-01`
}

/** The same day some months earlier, or the last of that month where it is shorter. */
export function monthsBefore(day: Day, months: number): Day {
  const then = DateTime.fromISO(day, { zone: "utc" }).minus({ months })
  return dayOf(then.toMillis())
}
