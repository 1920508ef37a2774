import { ALERTS } from "../../config/timing.ts"
import { addDays, type Day, startOf } from "../day.ts"
import { matches } from "../filter.ts"
import { serviceDates } from "../range.ts"
import type { ReadVisitors } from "../reading-ports.ts"
import { RANKED_PAGES } from "../readings.ts"
import { EXPORT_LIMIT, walk } from "../walk.ts"
import type { Counted, DayBook, DayCount } from "./ports.ts"

export interface CountDeps {
  visitors: ReadVisitors
  book: DayBook
}

/** Whoever has a digest or an alert shares one part of the hour. */
const READER = { kind: "digest" } as const

/**
 * Visitors of closed days. What is in the book and sure is not read again; the rest is, one day after the
 * other, so that an hour that ends in the middle loses nothing. Throws DocsError.
 * @param now ms
 * @returns `waitMs` while a day may still grow
 */
export async function countsOf(
  { visitors, book }: CountDeps,
  counted: Counted,
  days: readonly Day[],
  now: number,
): Promise<{ counts: ReadonlyMap<Day, DayCount> } | { waitMs: number }> {
  const counts = new Map(await book.of(counted, days))
  for (const day of days) {
    const known = counts.get(day)
    if (known?.isSure) continue
    const waitMs = known ? known.at + ALERTS.againMs - now : 0
    if (waitMs > 0) return { waitMs }
    const read = await readDay(visitors, counted, day)
    const age = now - startOf(addDays(day, 1))
    const isSure = age >= ALERTS.patienceMs || (known !== undefined && isSettled(read, known))
    const count = { ...read, at: now, isSure }
    await book.save(counted, day, count)
    if (!isSure) return { waitMs: ALERTS.againMs }
    counts.set(day, count)
  }
  return { counts }
}

/** Late data only ever adds to a day; counts are approximate, so a little more is none. */
function isSettled(read: Figures, before: Figures): boolean {
  const isSame = (now: number, was: number) => now <= was * 1.01
  return read.human + read.ai > 0 && isSame(read.human, before.human) && isSame(read.ai, before.ai)
}

type Figures = Pick<DayCount, "human" | "ai">

/**
 * Past every cache, as late data has to be seen. Of some pages the readers of each are added up: it is
 * one number from week to week, if not one of different people. A site with more pages than are read
 * says nothing about some of them.
 */
async function readDay(
  visitors: ReadVisitors,
  { project, filter }: Counted,
  day: Day,
): Promise<Figures> {
  const days = serviceDates({ from: day, to: day })
  if (filter === undefined) {
    const { totals } = await visitors(READER, project, { ...days, limit: 1, offset: 0 })
    return { human: totals.human, ai: totals.ai }
  }
  const page = (offset: number) =>
    visitors(READER, project, { ...days, limit: EXPORT_LIMIT, offset })
  const { rows, end } = await walk(page, RANKED_PAGES)
  const sum = { human: 0, ai: 0 }
  if (end !== "complete") return sum
  for (const row of rows.filter(({ path }) => matches(path, filter))) {
    sum.human += row.human
    sum.ai += row.ai
  }
  return sum
}
