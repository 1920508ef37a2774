import type { Figures } from "../docs-service/docs-client.ts"
import { count, upperFirst } from "../messages/mrkdwn.ts"
import { daysIn, type Range, type RangeWord } from "./range.ts"

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

function parts(text: string) {
  const date = new Date(text)
  const month = date.toLocaleDateString("en-US", { month: "short", timeZone: "UTC" })
  return { day: date.getUTCDate(), month, year: date.getUTCFullYear() }
}

export function weekdayName(day: string): string {
  return new Date(day).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" })
}

/** Period, and the one with which it is compared. */
interface Periods {
  selection: { range: Range }
  previous: Range
}

/** Returns whether the period before has as many days. Months do not always. */
export function isOfEqualLength({ selection, previous }: Periods): boolean {
  return daysIn(selection.range) === daysIn(previous)
}

/** Writes the change since the period before, or that of the daily mean if the lengths differ. */
export function changeOf(
  report: Periods & { figures: Figures; before: Figures | undefined },
  name: keyof Figures,
): string {
  const { figures, before, previous, selection } = report
  // Multiplies first: the quotient of the lengths is inexact, and equal means would differ.
  const scaled = ((before?.[name] ?? 0) * daysIn(selection.range)) / daysIn(previous)
  const change = changeWords(figures[name], scaled)
  return isOfEqualLength(report) || !/%/.test(change) ? change : `${change} a day`
}

/** Writes `▲ 12%`, `no change` or `new`. */
export function changeWords(now: number, before: number): string {
  if (now === before) return "no change"
  if (before === 0) return "new"
  return `${now > before ? "▲" : "▼"} ${percentWords(now, before)}`
}

/** Writes the size of a change; only what is all gone is down by 100%. */
export function percentWords(now: number, before: number): string {
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  if (percent === 0) return "under 1%"
  return percent === 100 && now > 0 && now < before ? "over 99%" : `${count(percent)}%`
}
