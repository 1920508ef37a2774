import { isDeepStrictEqual } from "node:util"
import { addDays, type Day, daysIn, firstOfMonth, isDay, mondayOf, monthsBefore } from "./day.ts"

/** Range of whole UTC days, both ends included, as people type it. */
export interface Range {
  from: Day
  to: Day
}

export interface RangeFault {
  kind: "unknown" | "no_such_day" | "reversed" | "future" | "too_long"
  words: string
}

/** Maximum length of a range: a leap year. The period before doubles what the bot reads. */
export const MAX_DAYS = 366
const DEFAULT_RANGE = "7d"

/** Returns the days before one, which is not included. */
const daysBefore = (day: Day, days: number) => ({ from: addDays(day, -days), to: addDays(day, -1) })

/** Ranges of the picker, in its order. */
const RANGES = {
  "7d": (today) => daysBefore(today, 7),
  "30d": (today) => daysBefore(today, 30),
  "90d": (today) => daysBefore(today, 90),
  today: (today) => ({ from: today, to: today }),
  yesterday: (today) => daysBefore(today, 1),
  "this week": (today) => ({ from: mondayOf(today), to: today }),
  "last week": (today) => daysBefore(mondayOf(today), 7),
  "this month": (today) => ({ from: firstOfMonth(today), to: today }),
  "last month": (today) => ({
    from: monthsBefore(firstOfMonth(today), 1),
    to: addDays(firstOfMonth(today), -1),
  }),
} satisfies Record<string, (today: Day) => Range>
export type RangeWord = keyof typeof RANGES
export const rangeWords = Object.keys(RANGES) as RangeWord[]

const MONTHS =
  "january february march april may june july august september october november december".split(" ")
const COUNTED =
  /^(?:the )?(?:last |past |previous )?(\d{1,6}) ?(d|days?|w|weeks?|m|months?|y|years?)$/
/** Words of which a range may consist, besides numbers and dates. */
export const rangeVocabulary = [
  ...MONTHS,
  ..."today yesterday this last past previous days day week weeks month months year".split(" "),
]

export function isRangeWord(text: string): text is RangeWord {
  return rangeWords.some((word) => word === text)
}

export function rangeOf(word: RangeWord, today: Day): Range {
  return RANGES[word](today)
}

/** Returns the word that means this range today, so that the picker can show it as chosen. */
export function wordOf(range: Range, today: Day): RangeWord | undefined {
  return rangeWords.find((word) => isDeepStrictEqual(rangeOf(word, today), range))
}

/**
 * Parses a range; no words mean `DEFAULT_RANGE`. Counted days end yesterday, because half a day
 * would make every change look like a drop. Weeks start on Monday. A month without a year is the
 * latest that has begun. A range without an end ends today; one without a start begins `MAX_DAYS`
 * earlier.
 */
export function parseRange(words: string, today: Day): Range | RangeFault {
  // Keyboards for Japanese and Chinese produce full-width digits and letters.
  const narrow = words.replaceAll(/[\uff01-\uff5e]/g, (sign) => sign.normalize("NFKC"))
  const text = narrow.trim().toLowerCase().split(/\s+/).join(" ") || DEFAULT_RANGE
  const range = understood(text, today)
  return isFault(range) && range.words === text ? { ...range, words } : range
}

export function isFault(result: Range | RangeFault): result is RangeFault {
  return "kind" in result
}

export function periodBefore(range: Range): Range {
  return daysBefore(range.from, daysIn(range))
}

/** Returns the dates for the service, whose `dateTo` is the first day NOT included. */
export function serviceDates({ from, to }: Range): { dateFrom: Day; dateTo: Day } {
  return { dateFrom: from, dateTo: addDays(to, 1) }
}

function understood(text: string, today: Day): Range | RangeFault {
  if (isRangeWord(text)) return rangeOf(text, today)
  const range = counted(text, today) ?? month(text, today) ?? dates(text, today)
  return !isFault(range) && daysIn(range) > MAX_DAYS ? { kind: "too_long", words: text } : range
}

/** Parses `30d`, `last 30 days`, `2 weeks`, `3 months`; each ends yesterday. */
function counted(text: string, today: Day): Range | RangeFault | undefined {
  const [, digits, unit = ""] = COUNTED.exec(text) ?? []
  if (digits === undefined) return undefined
  const count = Number(digits)
  if (count === 0) return { kind: "unknown", words: text }
  const length = { d: count, w: 7 * count, m: 28 * count, y: 365 * count }[unit.charAt(0)] ?? count
  // Keeps the arithmetic within the years that a date can hold.
  if (length > MAX_DAYS) return { kind: "too_long", words: text }
  const from = unit.startsWith("m") ? monthsBefore(today, count) : addDays(today, -length)
  return { from, to: addDays(today, -1) }
}

/** Parses `november`, `nov`, `november 2025`; the current month ends today. */
function month(text: string, today: Day): Range | RangeFault | undefined {
  const [name = "", year, ...more] = text.split(" ")
  const n = MONTHS.findIndex((full) => name.length >= 3 && full.startsWith(name))
  if (n < 0 || more.length > 0 || (year !== undefined && !/^[1-9]\d{3}$/.test(year)))
    return undefined
  const inYear = (of: string) => `${of}-${String(n + 1).padStart(2, "0")}-01`
  const thisYear = today.slice(0, 4)
  const latest = inYear(thisYear) > today ? inYear(String(Number(thisYear) - 1)) : inYear(thisYear)
  const from = year === undefined ? latest : inYear(year)
  if (from > today) return { kind: "future", words: text }
  const end = addDays(firstOfMonth(addDays(from, 31)), -1)
  return { from, to: end > today ? today : end }
}

function dates(text: string, today: Day): Range | RangeFault {
  const [first = "", last = first, ...more] = text.split(/ ?(?:\.{2,3}|[…–—]) ?| (?:to|-) /)
  const typed = [first, last].filter((end) => end !== "")
  const isRange = typed.length > 0 && more.length === 0
  if (!isRange || typed.some((date) => !/^\d{4}-\d{2}-\d{2}$/.test(date)))
    return { kind: "unknown", words: text }
  const missing = typed.find((date) => !isDay(date))
  if (missing !== undefined) return { kind: "no_such_day", words: missing }
  const late = typed.find((date) => date > today)
  if (late !== undefined) return { kind: "future", words: late }
  const to = last === "" ? today : last
  const from = first === "" ? addDays(to, 1 - MAX_DAYS) : first
  return from > to ? { kind: "reversed", words: text } : { from, to }
}
