import { addDays, type Day, daysIn, firstOf, isDay, monthsBefore } from "./utc-day.ts"

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

/** Returns the days before one, which is not included. */
const daysBefore = (day: Day, days: number) => ({ from: addDays(day, -days), to: addDays(day, -1) })

function lastWhole(unit: Parameters<typeof firstOf>[0], today: Day): Range {
  const to = addDays(firstOf(unit, today), -1)
  return { from: firstOf(unit, to), to }
}

/** Ranges of the picker, in its order. */
const RANGES = {
  "7d": (today) => daysBefore(today, 7),
  "30d": (today) => daysBefore(today, 30),
  "90d": (today) => daysBefore(today, 90),
  today: (today) => ({ from: today, to: today }),
  yesterday: (today) => daysBefore(today, 1),
  "this week": (today) => ({ from: firstOf("week", today), to: today }),
  "last week": (today) => lastWhole("week", today),
  "this month": (today) => ({ from: firstOf("month", today), to: today }),
  "last month": (today) => lastWhole("month", today),
  "this quarter": (today) => ({ from: firstOf("quarter", today), to: today }),
  "last quarter": (today) => lastWhole("quarter", today),
} satisfies Record<string, (today: Day) => Range>
export type RangeWord = keyof typeof RANGES
export const rangeWords = Object.keys(RANGES) as RangeWord[]

const MONTHS =
  "january february march april may june july august september october november december".split(" ")
const NUMBERS = "a one two three four five six seven eight nine ten eleven twelve".split(" ")
const COUNTED =
  /^(?:last |past |previous )?(\d{1,6}) ?(h|hours?|d|days?|w|weeks?|m|months?|y|years?)$/
const MONTH =
  /^(?:(\d{1,2})(?:st|nd|rd|th)? )?([a-z]{3,9})\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?(?:,? ([1-9]\d{3}))?$/
const BETWEEN = / ?(?:\.{2,3}|[…–—]) ?| (?:to|until|through|and|-) /
/** Words of which a range may consist, besides numbers and dates. */
export const rangeVocabulary = [
  ...MONTHS,
  ..."today yesterday this last past previous hours days day week weeks month months quarter year".split(
    " ",
  ),
]

export function isRangeWord(text: string): text is RangeWord {
  return rangeWords.some((word) => word === text)
}

export function rangeOf(word: RangeWord, today: Day): Range {
  return RANGES[word](today)
}

/**
 * Parses a range. Counted days end yesterday, because half a day
 * would make every change look like a drop. Weeks start on Monday. Without a year, the latest month
 * or day that has begun is meant; without an end, a range ends today; without a start, it begins
 * `MAX_DAYS` earlier.
 */
export function parseRange(words: string, today: Day): Range | RangeFault {
  // Keyboards for Japanese and Chinese produce full-width digits and letters.
  const narrow = words.replaceAll(/[\uff01-\uff5e]/g, (sign) => sign.normalize("NFKC"))
  const text = inOurWords(narrow.trim().toLowerCase().split(/\s+/))
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

/** Spells what people write as we do: `the past week` is `1 week`, `in two weeks` is `2 weeks`. */
function inOurWords(words: readonly string[]): string {
  return words
    .map((word) => (NUMBERS.includes(word) ? String(Math.max(1, NUMBERS.indexOf(word))) : word))
    .join(" ")
    .replace(/^(?:(?:in|for|over|during|the) )+| (?:in|for|of|on|under)$/g, "")
    .replace(/^previous (?!\d)/, "last ")
    .replace(/^(?:past (?=[a-z]+$)|last (?=day$))/, "1 ")
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
  const from = unit.startsWith("m") ? monthsBefore(today, count) : addDays(today, -length)
  return { from, to: addDays(today, -1) }
}

/** Parses what `named` does, or from the first day of one such to the last of another. */
function between(text: string, today: Day): Range | RangeFault {
  const [, since, rest = text] = /^(since|from|between) (.+)$/.exec(text) ?? []
  const [first = "", last = since ? "" : first, ...more] = rest.split(BETWEEN)
  if (first + last === "" || more.length > 0) return { kind: "unknown", words: text }
  const [start, end] = [named(first || last, today), named(last || "today", today)]
  if (isFault(start)) return start
  if (isFault(end)) return end
  const from = first === "" ? addDays(end.to, 1 - MAX_DAYS) : start.from
  return from > end.to ? { kind: "reversed", words: text } : { from, to: end.to }
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

/** Parses `2025`, `last year`, `november`, `nov 2025`, and days: a date, `9 nov`, `nov 9th 2025`. */
function calendar(text: string, today: Day): Range {
  const thisYear = Number(today.slice(0, 4))
  const year = { "this year": thisYear, "last year": thisYear - 1 }[text] ?? text
  if (/^[1-9]\d{3}$/.test(`${year}`)) return { from: `${year}-01-01`, to: `${year}-12-31` }
  const [, before, name = "", after = before, inYear] = MONTH.exec(text) ?? []
  const n = MONTHS.findIndex((full) => name !== "" && full.startsWith(name))
  if (n < 0 || (before !== undefined && before !== after)) return { from: text, to: text }
  const dateIn = (of: number | string) =>
    [of, n + 1, after ?? 1].map((part) => `${part}`.padStart(2, "0")).join("-")
  const from = dateIn(inYear ?? (dateIn(thisYear) > today ? thisYear - 1 : thisYear))
  return { from, to: after ? from : addDays(monthsBefore(from, -1), -1) }
}
