import type { Figures } from "../docs-service/docs-api.ts"
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

/** Points of a chart. Each counts its own unique visitors, so they do not add up. */
export type Trend = readonly { range: Range; figures: Figures }[]

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

/** Draws people and AI over time. */
export function chart(points: Trend): ChartBlock {
  const ranges = points.map(({ range }) => range)
  const series = {
    People: points.map(({ figures }) => figures.human),
    AI: points.map(({ figures }) => figures.ai),
  }
  return chartOver("People and AI", "Unique visitors", ranges, series)
}

/** Draws figures over time. Slack allows at most 20 points, with different labels. */
export function chartOver(
  title: string,
  y_label: string,
  ranges: readonly Range[],
  figures: Readonly<Record<string, readonly number[]>>,
): ChartBlock {
  const categories = ranges.map((range) => rangeLabel(range))
  const series = Object.entries(figures).map(([name, values]) => ({
    name,
    data: categories.map((label, n) => ({ label, value: values[n] ?? 0 })),
  }))
  const length = lengthOf(ranges[0])
  const x_label = SPANS[length]?.axis ?? `${length / 7} weeks each (UTC)`
  const type = ranges.length > MAX_BARS ? "line" : "bar"
  return {
    type: "data_visualization",
    title,
    chart: { type, series, axis_config: { categories, x_label, y_label } },
  }
}

/** Explains why the points do not add up: each counts its own visitors, and not all days have one. */
export function pointNote(points: Trend, range: Range): string {
  const once = SPANS[lengthOf(points[0]?.range)]?.once ?? "per point"
  return `${chartName(points, range)}: each visitor counts once ${once}`
}

/** Writes "chart" or, if the first whole week begins after the range, "chart from Aug 29". */
export function chartName([first]: readonly { range: Range }[], { from }: Range): string {
  if (!first || first.range.from === from) return "chart"
  return `chart from ${dayLabel(first.range.from)}`
}

function lengthOf(range: Range | undefined): number {
  return range ? daysIn(range) : 1
}
