import type { Figures } from "../docs-service/docs-client.ts"
import { count } from "../messages/mrkdwn.ts"
import { daysIn, type Range } from "./range.ts"

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
