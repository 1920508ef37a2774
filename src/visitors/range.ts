import { addDays, type Day, daysIn, firstOfMonth, isDay, mondayOf } from "./day.ts"

/** Whole UTC days, both ends included, as people type them. */
export interface Range {
  from: Day
  to: Day
}

/**
 * - `unknown`: not a range at all
 * - `no_such_day`: looks like a date, is not on the calendar
 * - `reversed`: ends before it starts
 * - `future`: reaches past today
 * - `too_long`: more than `MAX_DAYS`
 */
export interface RangeFault {
  kind: "unknown" | "no_such_day" | "reversed" | "future" | "too_long"
  /** What was typed, as far as it was not understood. */
  words: string
}

/** A year, leap day included. The service names no limit; the period before doubles what is asked of it. */
export const MAX_DAYS = 366
export const DEFAULT_RANGE = "7d"

/** The ranges that have a word of their own, in the order a picker shows them. */
export const rangeWords = [
  "7d",
  "30d",
  "90d",
  "today",
  "yesterday",
  "this week",
  "last week",
  "this month",
  "last month",
] as const
export type RangeWord = (typeof rangeWords)[number]

export function isRangeWord(text: string): text is RangeWord {
  return rangeWords.some((word) => word === text)
}

/**
 * Words → days. `Nd` are the last N whole days and end yesterday: a day that is still running would
 * make every change against the period before look like a fall. Weeks start on Monday. An open end
 * reaches to today; an open start reaches back `MAX_DAYS`.
 */
export function parseRange(words: string, today: Day): Range | RangeFault {
  const text = words.trim().toLowerCase().replaceAll(/\s+/g, " ")
  const lastDays = /^(\d{1,6})d$/.exec(text)
  if (lastDays) return lastDaysUntil(Number(lastDays[1]), text, today)
  if (isRangeWord(text)) return named(text, today)
  const ends = text.split(/\s*(?:\.{2,3}|…)\s*/)
  if (ends.length > 2 || ends.every((end) => end === "")) return { kind: "unknown", words }
  const [first = "", last = first] = ends
  return between(first, last, words, today)
}

/** The word that means this range today, for a picker that shows what is chosen. */
export function wordOf(range: Range, today: Day): RangeWord | undefined {
  return rangeWords.find((word) => {
    const { from, to } = named(word, today)
    return from === range.from && to === range.to
  })
}

export function isFault(result: Range | RangeFault): result is RangeFault {
  return "kind" in result
}

/** The equally long period that ends the day before. */
export function periodBefore(range: Range): Range {
  return { from: addDays(range.from, -daysIn(range)), to: addDays(range.from, -1) }
}

/** The two dates as the service takes them: its `dateTo` is the first day NOT included. */
export function serviceDates(range: Range): { dateFrom: Day; dateTo: Day } {
  return { dateFrom: range.from, dateTo: addDays(range.to, 1) }
}

function lastDaysUntil(days: number, words: string, today: Day): Range | RangeFault {
  if (days === 0) return { kind: "unknown", words }
  if (days > MAX_DAYS) return { kind: "too_long", words }
  return { from: addDays(today, -days), to: addDays(today, -1) }
}

function named(word: RangeWord, today: Day): Range {
  const yesterday = addDays(today, -1)
  const monday = mondayOf(today)
  const first = firstOfMonth(today)
  const ranges: Record<RangeWord, Range> = {
    "7d": { from: addDays(today, -7), to: yesterday },
    "30d": { from: addDays(today, -30), to: yesterday },
    "90d": { from: addDays(today, -90), to: yesterday },
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    "this week": { from: monday, to: today },
    "last week": { from: addDays(monday, -7), to: addDays(monday, -1) },
    "this month": { from: first, to: today },
    "last month": { from: firstOfMonth(addDays(first, -1)), to: addDays(first, -1) },
  }
  return ranges[word]
}

/** @param first,last a date, or "" for an open end */
function between(first: string, last: string, words: string, today: Day): Range | RangeFault {
  const dates = [first, last].filter((end) => end !== "")
  if (dates.some((date) => !/^\d{4}-\d{2}-\d{2}$/.test(date))) return { kind: "unknown", words }
  const missing = dates.find((date) => !isDay(date))
  if (missing !== undefined) return { kind: "no_such_day", words: missing }
  const late = dates.find((date) => date > today)
  if (late !== undefined) return { kind: "future", words: late }
  const to = last === "" ? today : last
  const from = first === "" ? addDays(to, 1 - MAX_DAYS) : first
  if (from > to) return { kind: "reversed", words }
  return daysIn({ from, to }) > MAX_DAYS ? { kind: "too_long", words } : { from, to }
}
