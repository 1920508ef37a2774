import { DateTime } from "luxon"
import { z } from "zod"
import { addDays, DAY_MS, type Day, dayOf, startOf } from "../lib/time.ts"

/** Returns whether this is a day in 1000 or later; the period before it must be valid, too. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid
}

export function daysIn({ from, to }: { from: Day; to: Day }): number {
  return Math.round((startOf(to) - startOf(from)) / DAY_MS) + 1
}

/** Calendar units, weeks from Monday on. */
export const units = ["week", "month", "quarter", "year"] as const
type Unit = (typeof units)[number]

function utc(day: Day): DateTime {
  return DateTime.fromISO(day, { zone: "utc", locale: "en-US" })
}

/** Returns the whole week, month, quarter or year that a day is in. */
export function wholeUnit(unit: Unit, day: Day): Range {
  const [from, to] = [utc(day).startOf(unit), utc(day).endOf(unit)]
  return { from: dayOf(from.toMillis()), to: dayOf(to.toMillis()), unit }
}

/** Returns the same day some months earlier, or that month's last day if the month is shorter. */
export function monthsBefore(day: Day, months: number): Day {
  return dayOf(utc(day).minus({ months }).toMillis())
}

/** Range of whole UTC days, both ends included, as people type it. */
export const rangeShape = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Calendar unit that the range is, or of which it is the beginning so far. */
  unit: z.enum(units).exactOptional(),
})
export type Range = z.infer<typeof rangeShape>

/** Maximum length of a range: a leap year. The period before doubles what the bot reads. */
export const MAX_DAYS = 366

const MONTHS_IN = { month: 1, quarter: 3, year: 12 } as const

/** Returns the days before one, which is not included. */
export const daysBefore = (day: Day, days: number): Range => ({
  from: addDays(day, -days),
  to: addDays(day, -1),
})

/** Range of reports and gaps that are asked for without one. */
export const DEFAULT_RANGE = "7d"

/**
 * Returns the period to compare a range with: for a day the same weekday, for a calendar unit the
 * same days of the one before, otherwise as many days before. A month that is over is compared with
 * a whole one, which may be longer or shorter.
 */
export function periodBefore(range: Range, today: Day): Range {
  const { from, to, unit } = range
  const days = daysIn(range)
  if (days === 1 || unit === "week") return { from: addDays(from, -7), to: addDays(to, -7) }
  if (unit === undefined) return daysBefore(from, days)
  const months = MONTHS_IN[unit]
  const isWhole = to === wholeUnit(unit, from).to && to < today
  return {
    from: monthsBefore(from, months),
    to: isWhole ? addDays(from, -1) : monthsBefore(to, months),
  }
}

/** Returns the dates for the service, whose `dateTo` is the first day NOT included. */
export function serviceDates({ from, to }: Range): { dateFrom: Day; dateTo: Day } {
  return { dateFrom: from, dateTo: addDays(to, 1) }
}

/** Selects what a report shows. */
export const selectionShape = z.object({
  project: z.string(),
  range: rangeShape,
  filter: z.string().exactOptional(),
  /** Page of the table, from 1. */
  page: z.number().int().positive(),
})
export type Selection = z.infer<typeof selectionShape>

/** Writes `Nov 9, 2026`, `Nov 9–15, 2026`, `Oct 28 – Nov 3, 2026` or, across years, both years. */
export function rangeTitle({ from, to }: Range): string {
  if (yearOf(from) === yearOf(to)) return `${rangeLabel({ from, to })}, ${yearOf(to)}`
  return `${dayLabel(from)}, ${yearOf(from)} – ${dayLabel(to)}, ${yearOf(to)}`
}

/**
 * Writes a range without years, in at most 15 characters; a chart's axis allows 20. Beside a range
 * of another year, it does write them.
 */
export function rangeLabel({ from, to }: Range, beside?: Range): string {
  if (beside && yearOf(from) !== yearOf(beside.to)) return rangeTitle({ from, to })
  if (from === to) return dayLabel(to)
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7)
  return isOneMonth ? `${dayLabel(from)}–${utc(to).day}` : `${dayLabel(from)} – ${dayLabel(to)}`
}

/** Writes `Nov 9`. */
export function dayLabel(day: Day): string {
  return utc(day).toFormat("MMM d")
}

export function weekdayName(day: Day): string {
  return utc(day).toFormat("cccc")
}

function yearOf(day: Day): number {
  return utc(day).year
}
