import { addDays, type Day } from "../lib/time.ts"
import {
  daysBefore,
  daysIn,
  isDay,
  MAX_DAYS,
  monthsBefore,
  type Range,
  units,
  wholeUnit,
} from "./range.ts"

export interface RangeFault {
  kind: "unknown" | "no_such_day" | "reversed" | "future" | "too_long"
  words: string
}

const MONTHS =
  "january february march april may june july august september october november december".split(" ")
/** Words of which a range may consist, besides numbers and dates. */
export const rangeVocabulary = [
  ...MONTHS,
  ..."today yesterday this last past previous hours days day week weeks month months quarter year".split(
    " ",
  ),
]
const COUNTED =
  /^(?:last |past |previous )?(\d{1,6}) ?(h|hrs?|hours?|d|days?|w|wks?|weeks?|m|mos?|months?|y|yrs?|years?)$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const YEAR_AND_MONTH = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/
const QUARTER = /^q([1-4])(?: ([1-9]\d{3}))?$/
/** A month, also abbreviated, with a day before or behind it, and a year. */
const MONTH = /^(last )?(?:(\d{1,2}) )?([a-z]{3,9})\.?(?: (\d{1,2}))?(?:,? ([1-9]\d{3}))?$/
const BETWEEN = / ?(?:\.{2,3}|[…–—]) ?| (?:to|-) /

/**
 * Parses a range. Counted days end yesterday, because half a day would make every change look like
 * a drop. Weeks start on Monday. Without a year, the latest month or day that has begun is meant.
 */
export function parseRange(words: string, today: Day): Range | RangeFault {
  const text = inOurWords(words.trim().toLowerCase().replaceAll(/\s+/g, " "))
  const range = countedDays(text, today) ?? between(text, today)
  if (isFault(range)) return range.words === text ? { ...range, words } : range
  return daysIn(range) > MAX_DAYS ? { kind: "too_long", words } : range
}

export function isFault(result: Range | RangeFault): result is RangeFault {
  return "kind" in result
}

/** Spells what people write as we do: `the past week` and `week` are `1 week`, `2026-1-5` a day. */
function inOurWords(text: string): string {
  return text
    .replace(/^(?:(?:in|for|over|during|from|the) )+| (?:in|for|of|on|under)$/g, "")
    .replaceAll(/(?<=\b\d{4}-(?:\d\d?-)?)\d\b/g, "0$&")
    .replace(/^previous (?!\d)/, "last ")
    .replace(/^(?:past )?(?=(?:day|week|month|year)$)|^last (?=day$)/, "1 ")
}

/** Parses `24h`, `30d`, `last 30 days`, `2 weeks`, `3 months`; each ends yesterday. */
function countedDays(text: string, today: Day): Range | RangeFault | undefined {
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
  const isShort = DAY.test(first) && /^(?:\d{2}-)?\d{2}$/.test(last)
  return isShort ? first.slice(0, -last.length) + last : last
}

/** Parses what can be an end of a range; what runs still ends today. */
function named(text: string, today: Day): Range | RangeFault {
  const range = calendar(text, today)
  if (!range) return { kind: "unknown", words: text }
  if (!isDay(range.from)) return { kind: "no_such_day", words: text }
  if (range.from > today) return { kind: "future", words: text }
  return range.to > today ? { ...range, to: today } : range
}

/** Parses `today`, `last week`, `2025`, `q3`, `november`, `2025-11`, and `2025-11-09` or `9 nov`. */
function calendar(text: string, today: Day): Range | undefined {
  if (text === "today") return { from: today, to: today }
  if (text === "yesterday") return daysBefore(today, 1)
  const unit = units.find((one) => text === `this ${one}` || text === `last ${one}`)
  if (unit) {
    const running = wholeUnit(unit, today)
    return text.startsWith("this") ? running : wholeUnit(unit, addDays(running.from, -1))
  }
  if (/^[1-9]\d{3}$/.test(text)) return wholeUnit("year", `${text}-01-01`)
  if (YEAR_AND_MONTH.test(text)) return wholeUnit("month", `${text}-01`)
  if (DAY.test(text)) return { from: text, to: text }
  const [, quarter, itsYear] = QUARTER.exec(text) ?? []
  if (quarter) return wholeUnit("quarter", begun(Number(quarter) * 3 - 2, 1, today, itsYear))
  const [, isLast, dayBefore, name = "", dayAfter, inYear] = MONTH.exec(text) ?? []
  const day = dayAfter ?? dayBefore
  const isTwoDays = dayBefore !== undefined && dayBefore !== day
  const month = MONTHS.findIndex((full) => name !== "" && full.startsWith(name)) + 1
  if (month === 0 || isTwoDays) return undefined
  const from = begun(month, Number(day ?? 1), today, inYear)
  if (day) return { from, to: from }
  const range = wholeUnit("month", from)
  // In November, `last november` is not the running one.
  return isLast && range.to >= today ? wholeUnit("month", monthsBefore(from, 12)) : range
}

/** Returns the latest such day that has begun, unless its year is given. */
function begun(month: number, day: number, today: Day, year?: string): Day {
  const dayIn = (of: number | string) =>
    [of, month, day].map((part) => `${part}`.padStart(2, "0")).join("-")
  const thisYear = Number(today.slice(0, 4))
  return dayIn(year ?? (dayIn(thisYear) > today ? thisYear - 1 : thisYear))
}
