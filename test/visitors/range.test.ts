import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { addDays } from "../../src/lib/time.ts"
import { isFault, parseRange, type RangeFault } from "../../src/visitors/parse-range.ts"
import {
  daysIn,
  isDay,
  MAX_DAYS,
  periodBefore,
  rangeTitle,
  serviceDates,
} from "../../src/visitors/range.ts"
import { holds } from "../helpers/property.ts"

/** Current day of these tests, a Friday. */
const TODAY = "2026-11-20"

const span = (words: string, today = TODAY) => {
  const range = parseRange(words, today)
  return isFault(range) ? range.kind : `${range.from}..${range.to}`
}

describe("VIS-1: range words", () => {
  it.each<[words: string, days: string, today?: string]>([
    ["7d", "2026-11-13..2026-11-19"],
    ["30d", "2026-10-21..2026-11-19"],
    ["90d", "2026-08-22..2026-11-19"],
    ["1d", "2026-11-19..2026-11-19"],
    ["TODAY", "2026-11-20..2026-11-20"],
    ["yesterday", "2026-11-19..2026-11-19"],
    ["this week", "2026-11-16..2026-11-20"],
    ["last  week", "2026-11-09..2026-11-15"],
    ["this month", "2026-11-01..2026-11-20"],
    ["Last Month", "2026-10-01..2026-10-31"],
    ["2026-11-07", "2026-11-07..2026-11-07"],
    ["2026-11-01..2026-11-07", "2026-11-01..2026-11-07"],
    ["2026-11-01...2026-11-07", "2026-11-01..2026-11-07"],
    ["2026-11-01…2026-11-07", "2026-11-01..2026-11-07"],
    ["2026-11-01 .. 2026-11-07", "2026-11-01..2026-11-07"],
    ["2026-11-01 to 2026-11-07", "2026-11-01..2026-11-07"],
    ["2026-11-01 - 2026-11-07", "2026-11-01..2026-11-07"],
    ["2026-11-01–2026-11-07", "2026-11-01..2026-11-07"],
    ["2026-11-01..07", "2026-11-01..2026-11-07"],
    ["2026-10-01..11-07", "2026-10-01..2026-11-07"],
    ["2026-1-5", "2026-01-05..2026-01-05"],
    ["2026-11", "2026-11-01..2026-11-20"],
    ["2026-10", "2026-10-01..2026-10-31"],
    ["2026-09..2026-10", "2026-09-01..2026-10-31"],
    ["2026-11-20..2026-11-20", "2026-11-20..2026-11-20"],
    ["the past week", "2026-11-13..2026-11-19"],
    ["last day", "2026-11-19..2026-11-19"],
    ["over the last 2 weeks", "2026-11-06..2026-11-19"],
    ["week", "2026-11-13..2026-11-19"],
    ["month", "2026-10-20..2026-11-19"],
    ["last november", "2025-11-01..2025-11-30"],
    ["last oct", "2026-10-01..2026-10-31"],
    ["previous month", "2026-10-01..2026-10-31"],
    ["previous 30 days", "2026-10-21..2026-11-19"],
    ["this year", "2026-01-01..2026-11-20"],
    ["last year", "2025-01-01..2025-12-31"],
    ["last quarter", "2026-07-01..2026-09-30"],
    ["this quarter", "2026-10-01..2026-11-20"],
    ["previous quarter", "2026-07-01..2026-09-30"],
    ["q3", "2026-07-01..2026-09-30"],
    ["q4 2025", "2025-10-01..2025-12-31"],
    ["24h", "2026-11-19..2026-11-19"],
    ["the last 48 hours", "2026-11-18..2026-11-19"],
    ["2024", "2024-01-01..2024-12-31"],
    ["in november", "2026-11-01..2026-11-20"],
    ["Nov. 9, 2025", "2025-11-09..2025-11-09"],
    ["30 november", "2025-11-30..2025-11-30"],
    ["nov 1 to nov 7", "2026-11-01..2026-11-07"],
    ["october - november", "2026-10-01..2026-11-20"],
    ["from 2026-11-01 to yesterday", "2026-11-01..2026-11-19"],
    ["last month", "2028-02-01..2028-02-29", "2028-03-31"],
    ["last month", "2027-02-01..2027-02-28", "2027-03-31"],
    ["last month", "2026-12-01..2026-12-31", "2027-01-01"],
    ["this month", "2027-01-01..2027-01-01", "2027-01-01"],
    ["7d", "2028-02-25..2028-03-02", "2028-03-03"],
    ["yesterday", "2028-02-29..2028-02-29", "2028-03-01"],
    ["yesterday", "2026-12-31..2026-12-31", "2027-01-01"],
    ["last week", "2026-12-21..2026-12-27", "2027-01-01"],
    ["this week", "2026-12-28..2027-01-03", "2027-01-03"],
    ["this week", "2026-11-16..2026-11-16", "2026-11-16"],
    ["last quarter", "2026-10-01..2026-12-31", "2027-03-31"],
    ["2028-02-29", "2028-02-29..2028-02-29", "2028-03-01"],
  ])("%s: %s, today being %s", (words, days, today) => {
    expect(span(words, today)).toBe(days)
  })

  it.each<[string, RangeFault["kind"], string]>([
    ["2026-02-30", "no_such_day", "2026-02-30"],
    ["2027-02-29..2027-03-01", "no_such_day", "2027-02-29"],
    ["2026-00-10", "no_such_day", "2026-00-10"],
    ["2026-11-07..2026-11-01", "reversed", "2026-11-07..2026-11-01"],
    ["2026-11-21", "future", "2026-11-21"],
    ["2026-11-01..2026-12-01", "future", "2026-12-01"],
    ["2016-11-20..2026-11-19", "too_long", "2016-11-20..2026-11-19"],
    ["3650d", "too_long", "3650d"],
    ["10 years", "too_long", "10 years"],
    ["november to january", "reversed", "november to january"],
    ["Feb 29", "no_such_day", "Feb 29"],
    ["2026-11-01 to whenever", "unknown", "whenever"],
    ["9 nov 10", "unknown", "9 nov 10"],
    ["The last 0 days", "unknown", "The last 0 days"],
    ["0d", "unknown", "0d"],
    ["36h", "unknown", "36h"],
    ["-7d", "unknown", "-7d"],
    ["..", "unknown", ".."],
    ["2026-13", "unknown", "2026-13"],
    ["2026-11-01..", "unknown", "2026-11-01.."],
    ["2026-12", "future", "2026-12"],
    ["2026-11-01..2026-11-02..2026-11-03", "unknown", "2026-11-01..2026-11-02..2026-11-03"],
    ["<script>", "unknown", "<script>"],
  ])("%s is %s", (words, kind, named) => {
    expect(parseRange(words, TODAY)).toEqual({ kind, words: named })
  })
})

test.each<[words: string, days: string, today?: string]>([
  ["today", "2026-11-13..2026-11-13"],
  ["yesterday", "2026-11-12..2026-11-12"],
  ["this week", "2026-11-09..2026-11-13"],
  ["last week", "2026-11-02..2026-11-08"],
  ["this month", "2026-10-01..2026-10-20"],
  ["last month", "2026-09-01..2026-09-30"],
  ["2026-09", "2026-08-01..2026-08-31"],
  ["this quarter", "2026-07-01..2026-08-20"],
  ["last quarter", "2026-04-01..2026-06-30"],
  ["last year", "2024-01-01..2024-12-31"],
  ["7d", "2026-11-06..2026-11-12"],
  ["30d", "2026-09-21..2026-10-20"],
  ["2026-11-01..2026-11-07", "2026-10-25..2026-10-31"],
  ["this month", "2026-10-01..2026-10-30", "2026-11-30"],
  ["february", "2028-01-01..2028-01-29", "2028-02-29"],
  ["2026-03", "2026-02-01..2026-02-28", "2026-03-31"],
  ["this quarter", "2026-07-01..2026-09-30", "2026-12-31"],
  ["last month", "2026-10-01..2026-10-31", "2026-12-01"],
])("VIS-5: %s is compared with %s, today being %s", (words, days, today = TODAY) => {
  const range = parseRange(words, today)
  if (isFault(range)) throw new Error(range.kind)
  const { from, to } = periodBefore(range, today)
  expect(`${from}..${to}`).toBe(days)
})

const day = fc.integer({ min: 0, max: 40_000 }).map((n) => addDays("2000-01-01", n))

describe("any range", () => {
  it("is as many days as it says, and the period before has as many and touches it", async () => {
    await holds(
      fc.property(day, fc.integer({ min: 1, max: MAX_DAYS }), (today, days) => {
        const range = parseRange(`${days}d`, today)
        if (isFault(range)) throw new Error(range.kind)
        const before = periodBefore(range, today)
        expect(daysIn(range)).toBe(days)
        expect(daysIn(before)).toBe(days)
        expect(addDays(before.to, days === 1 ? 7 : 1)).toBe(range.from)
        expect(addDays(range.to, 1)).toBe(today)
      }),
    )
  })

  it("typed as two dates holds both, and the service's end is the day after", async () => {
    await holds(
      fc.property(day, fc.integer({ min: 0, max: MAX_DAYS - 1 }), (from, more) => {
        const to = addDays(from, more)
        const range = parseRange(`${from}..${to}`, to)
        if (isFault(range)) throw new Error(range.kind)
        expect(range).toEqual({ from, to })
        const { dateFrom, dateTo } = serviceDates(range)
        expect(dateFrom).toBe(from)
        expect(dateTo).toBe(addDays(to, 1))
        expect(isDay(dateTo)).toBe(true)
      }),
    )
  })
})

test("VIS-1: a title of days in two years names both", () => {
  expect(rangeTitle({ from: "2025-12-28", to: "2026-01-03" })).toBe("Dec 28, 2025 – Jan 3, 2026")
})
