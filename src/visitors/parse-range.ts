import { daysBefore, isRangeWord, MAX_DAYS, type Range, rangeOf } from "./range.ts"
import { addDays, type Day, daysIn, isDay, lastOf, monthsBefore } from "./utc-day.ts"

export interface RangeFault {
  kind: "unknown" | "no_such_day" | "reversed" | "future" | "too_long"
  words: string
}

const MONTHS =
  "january february march april may june july august september october november december".split(" ")
const COUNTED =
  /^(?:last |past |previous )?(\d{1,6}) ?(h|hours?|d|days?|w|weeks?|m|months?|y|years?)$/
/** A month, also abbreviated, with a day before or behind it, and a year. */
const MONTH = /^(last )?(?:(\d{1,2}) )?([a-z]{3,9})\.?(?: (\d{1,2}))?(?:,? ([1-9]\d{3}))?$/
const YEAR_AND_MONTH = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/
const BETWEEN = / ?(?:\.{2,3}|[…–—]) ?| (?:to|-) /
/** Words of which a range may consist, besides numbers and dates. */
export const rangeVocabulary = [
  ...MONTHS,
  ..."today yesterday this last past previous hours days day week weeks month months quarter year".split(
    " ",
  ),
]

/**
 * Parses a range. Counted days end yesterday, because half a day would make every change look like
 * a drop. Weeks start on Monday. Without a year, the latest month or day that has begun is meant.
 */
export function parseRange(words: string, today: Day): Range | RangeFault {
  const text = inOurWords(words.trim().toLowerCase().replaceAll(/\s+/g, " "))
  const range = understood(text, today)
  return isFault(range) && range.words === text ? { ...range, words } : range
}

export function isFault(result: Range | RangeFault): result is RangeFault {
  return "kind" in result
}

/** Spells what people write as we do: `over the past week` and `week` are `1 week`. */
function inOurWords(text: string): string {
  return text
    .replace(/^(?:(?:in|for|over|during|from|the) )+| (?:in|for|of|on|under)$/g, "")
    .replace(/^previous (?!\d)/, "last ")
    .replace(/^(?:past )?(?=(?:day|week|month|year)$)|^last (?=day$)/, "1 ")
}

function understood(text: string, today: Day): Range | RangeFault {
  const range = counted(text, today) ?? between(text, today)
  return !isFault(range) && daysIn(range) > MAX_DAYS ? { kind: "too_long", words: text } : range
}

/** Parses `24h`, `30d`, `last 30 days`, `2 weeks`, `3 months`; each ends yesterday. */
function counted(text: string, today: Day): Range | RangeFault | undefined {
  const [, digits, unit = ""] = COUNTED.exec(text) ?? []
  if (digits === undefined) return undefined
  const count = Number(digits)
  const days = { h: 1 / 24, w: 7, m: 28, y: 365 }[unit.charAt(0)] ?? 1
  const length = days * count
  if (length === 0 || !Number.isInteger(length)) return { kind: "unknown", words: text }
  // Keeps the arithmetic within the years that a date can hold.
  if (length > MAX_DAYS) return { kind: "too_long", words: text }
  if (!unit.startsWith("m")) return daysBefore(today, length)
  return { from: monthsBefore(today, count), to: addDays(today, -1) }
}

/** Parses what `named` does, or from the first day of one such to the last of another. */
function between(text: string, today: Day): Range | RangeFault {
  const [first = "", last, ...more] = text.split(BETWEEN)
  if (last === undefined) return named(first, today)
  if (first === "" || last === "" || more.length > 0) return { kind: "unknown", words: text }
  const start = named(first, today)
  if (isFault(start)) return start
  const end = named(withStartOf(first, last), today)
  if (isFault(end)) return end
  return start.from > end.to ? { kind: "reversed", words: text } : { from: start.from, to: end.to }
}

/** Completes `07` in `2026-11-01..07` and `11-07` in `2026-11-01..11-07`. */
function withStartOf(first: string, last: string): string {
  const isShort = /^\d{4}-\d{2}-\d{2}$/.test(first) && /^(?:\d{2}-)?\d{2}$/.test(last)
  return isShort ? first.slice(0, -last.length) + last : last
}

/** Parses what can be an end of a range; the current year or month ends today. */
function named(text: string, today: Day): Range | RangeFault {
  if (isRangeWord(text)) return rangeOf(text, today)
  const range = calendar(text, today)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(range.from)) return { kind: "unknown", words: text }
  if (!isDay(range.from)) return { kind: "no_such_day", words: text }
  if (range.from > today) return { kind: "future", words: text }
  return range.to > today ? { ...range, to: today } : range
}

/** Parses `2025`, `last year`, `november`, `2025-11`, and days: `2025-11-09`, `9 nov`. */
function calendar(text: string, today: Day): Range {
  const thisYear = Number(today.slice(0, 4))
  const year = { "this year": thisYear, "last year": thisYear - 1 }[text] ?? text
  if (/^[1-9]\d{3}$/.test(`${year}`))
    return { from: `${year}-01-01`, to: `${year}-12-31`, unit: "year" }
  if (YEAR_AND_MONTH.test(text)) return monthFrom(`${text}-01`)
  const [, isLast, before, name = "", after = before, inYear] = MONTH.exec(text) ?? []
  const n = MONTHS.findIndex((full) => name !== "" && full.startsWith(name))
  if (n < 0 || (before !== undefined && before !== after)) return { from: text, to: text }
  const dateIn = (of: number | string) =>
    [of, n + 1, after ?? 1].map((part) => `${part}`.padStart(2, "0")).join("-")
  // In November, `november` is the running one, and `last november` the one of the year before.
  const begun = isLast && !after ? lastOf("month", dateIn(thisYear)) : dateIn(thisYear)
  const from = dateIn(inYear ?? (begun > today ? thisYear - 1 : thisYear))
  return after ? { from, to: from } : monthFrom(from)
}

function monthFrom(from: Day): Range {
  return { from, to: addDays(monthsBefore(from, -1), -1), unit: "month" }
}
