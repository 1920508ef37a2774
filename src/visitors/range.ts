import { DateTime } from "luxon"
import { z } from "zod"
import { DAY_MS } from "../lib/time.ts"
import { upperFirst } from "../messages/mrkdwn.ts"

/** UTC day as `YYYY-MM-DD`; days compare as strings. */
export type Day = string

export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10)
}

/** Returns whether this is a day in 1000 or later; the period before it must be valid, too. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid
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

const units = ["week", "month", "quarter", "year"] as const
type Unit = (typeof units)[number]

/** Returns the first day of the week (a Monday), month, quarter or year that a day is in. */
function firstOf(unit: Unit, day: Day): Day {
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

/** Range of whole UTC days, both ends included, as people type it. */
export interface Range {
  from: Day
  to: Day
  /** Calendar unit that the range is, or of which it is the beginning so far. */
  unit?: Unit
}

/** Maximum length of a range: a leap year. The period before doubles what the bot reads. */
export const MAX_DAYS = 366

const MONTHS_IN = { month: 1, quarter: 3, year: 12 } as const

/** Returns the days before one, which is not included. */
export const daysBefore = (day: Day, days: number): Range => ({
  from: addDays(day, -days),
  to: addDays(day, -1),
})

/** Returns the calendar unit that contains a day, up to that day. */
function unitSoFar(unit: Unit, today: Day): Range {
  return { from: firstOf(unit, today), to: today, unit }
}

function lastWhole(unit: Unit, today: Day): Range {
  const to = addDays(firstOf(unit, today), -1)
  return { from: firstOf(unit, to), to, unit }
}

/** Range of reports and gaps that are asked for without one. */
export const DEFAULT_RANGE = "7d"

/** Ranges of the picker, in its order. */
const RANGES = {
  "7d": (today) => daysBefore(today, 7),
  "30d": (today) => daysBefore(today, 30),
  "90d": (today) => daysBefore(today, 90),
  today: (today) => ({ from: today, to: today }),
  yesterday: (today) => daysBefore(today, 1),
  "this week": (today) => unitSoFar("week", today),
  "last week": (today) => lastWhole("week", today),
  "this month": (today) => unitSoFar("month", today),
  "last month": (today) => lastWhole("month", today),
  "this quarter": (today) => unitSoFar("quarter", today),
  "last quarter": (today) => lastWhole("quarter", today),
} satisfies Record<string, (today: Day) => Range>
export type RangeWord = keyof typeof RANGES
export const rangeWords = Object.keys(RANGES) as RangeWord[]

export function isRangeWord(text: string): text is RangeWord {
  return rangeWords.some((word) => word === text)
}

export function rangeOf(word: RangeWord, today: Day): Range {
  return RANGES[word](today)
}

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
  const isWhole = to === lastOf(unit, from) && to < today
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
export const selection = z.object({
  project: z.string(),
  range: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    unit: z.enum(units).exactOptional(),
  }),
  filter: z.string().exactOptional(),
  /** Page of the table, from 1. */
  page: z.number().int().positive(),
})
export type Selection = z.infer<typeof selection>

/** Writes `Nov 9, 2026`, `Nov 9–15, 2026`, `Oct 28 – Nov 3, 2026` or, across years, both years. */
export function rangeTitle({ from, to }: Range): string {
  const [a, b] = [parts(from), parts(to)]
  if (a.year !== b.year) return `${a.month} ${a.day}, ${a.year} – ${b.month} ${b.day}, ${b.year}`
  return `${rangeLabel({ from, to })}, ${b.year}`
}

/**
 * Writes a range without years, in at most 15 characters; a chart's axis allows 20. Beside a range
 * of another year, it does write them.
 */
export function rangeLabel({ from, to }: Range, beside?: Range): string {
  const [a, b] = [parts(from), parts(to)]
  if (beside && a.year !== parts(beside.to).year) return rangeTitle({ from, to })
  if (from === to) return `${b.month} ${b.day}`
  return a.month === b.month && a.year === b.year
    ? `${b.month} ${a.day}–${b.day}`
    : `${a.month} ${a.day} – ${b.month} ${b.day}`
}

export function rangeName(word: RangeWord): string {
  const days = /^(\d+)d$/.exec(word)?.[1]
  return days ? `Last ${days} days` : upperFirst(word)
}

export function weekdayName(day: string): string {
  return new Date(day).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" })
}

function parts(text: string) {
  const date = new Date(text)
  const month = date.toLocaleDateString("en-US", { month: "short", timeZone: "UTC" })
  return { day: date.getUTCDate(), month, year: date.getUTCFullYear() }
}
