import { DateTime } from "luxon"
import { DAY_MS } from "../lib/time.ts"

/** UTC day as `YYYY-MM-DD`; days compare as strings. */
export type Day = string

export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10)
}

/** Returns whether this is a day in 1000 or later; the period before it must be valid, too. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid
}

/** Returns the day of the week, 0 for Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(startOf(day)).getUTCDay()
}

export function startOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function addDays(day: Day, days: number): Day {
  return dayOf(startOf(day) + days * DAY_MS)
}

export function daysIn({ from, to }: { from: Day; to: Day }): number {
  return Math.round((startOf(to) - startOf(from)) / DAY_MS) + 1
}

type Unit = "week" | "month" | "quarter" | "year"

/** Returns the first day of the week (a Monday), month, quarter or year that a day is in. */
export function firstOf(unit: Unit, day: Day): Day {
  return dayOf(DateTime.fromISO(day, { zone: "utc" }).startOf(unit).toMillis())
}

/** Returns the last day of the week, month, quarter or year that a day is in. */
export function lastOf(unit: Unit, day: Day): Day {
  return dayOf(DateTime.fromISO(day, { zone: "utc" }).endOf(unit).toMillis())
}

/** Returns the same day some months earlier, or that month's last day if the month is shorter. */
export function monthsBefore(day: Day, months: number): Day {
  return dayOf(DateTime.fromISO(day, { zone: "utc" }).minus({ months }).toMillis())
}
