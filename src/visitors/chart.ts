import { addDays } from "../lib/time.ts"
import type { ChartBlock } from "../slack/message-types.ts"
import { dayLabel, daysIn, type Range, rangeLabel } from "./range.ts"

/** Maximum points of a chart: Slack accepts 20, and each one costs a request. */
const MAX_POINTS = 20
/** Maximum number of points for bars; above it a line is easier to read. */
const MAX_BARS = 8

const SPANS: Readonly<Record<number, { axis: string; once: string }>> = {
  1: { axis: "Days (UTC)", once: "a day" },
  7: { axis: "Weeks (UTC)", once: "a week" },
}

/**
 * Splits a range into at most `MAX_POINTS` parts of equal length: single days if they fit,
 * otherwise whole weeks, so that weekends do not make the line zigzag. The weeks end where the range
 * ends; the days before the first whole one are left out.
 */
export function chartPoints({ from, to }: Pick<Range, "from" | "to">): Range[] {
  const days = daysIn({ from, to })
  const length = days <= MAX_POINTS ? 1 : 7 * Math.ceil(days / 7 / MAX_POINTS)
  const count = Math.floor(days / length)
  const start = (n: number) => addDays(to, 1 - length * (count - n))
  return Array.from({ length: count }, (_, n) => {
    return { from: start(n), to: addDays(start(n + 1), -1) }
  })
}

/** Draws what changes over time, a line or bars for each value. Slack wants the labels to differ. */
export function chartOf<Point extends { range: Range }>(
  title: string,
  y_label: string,
  points: readonly Point[],
  values: Readonly<Record<string, (point: Point) => number>>,
): ChartBlock {
  const series = Object.entries(values).map(([name, valueAt]) => ({
    name,
    data: points.map((point) => ({ label: rangeLabel(point.range), value: valueAt(point) })),
  }))
  const categories = points.map(({ range }) => rangeLabel(range))
  const length = lengthOf(points)
  const x_label = SPANS[length]?.axis ?? `${length / 7} weeks each (UTC)`
  const type = points.length > MAX_BARS ? "line" : "bar"
  return {
    type: "data_visualization",
    title,
    chart: { type, series, axis_config: { categories, x_label, y_label } },
  }
}

/** Explains why the points do not add up: each counts its own visitors, and not all days have one. */
export function pointNote(points: readonly { range: Range }[], range: Range): string {
  const once = SPANS[lengthOf(points)]?.once ?? "per point"
  return `${chartName(points, range)}: each visitor counts once ${once}`
}

/** Writes "chart" or, if the first whole week begins after the range, "chart from Aug 29". */
export function chartName([first]: readonly { range: Range }[], { from }: Range): string {
  if (!first || first.range.from === from) return "chart"
  return `chart from ${dayLabel(first.range.from)}`
}

function lengthOf([first]: readonly { range: Range }[]): number {
  return first ? daysIn(first.range) : 1
}
