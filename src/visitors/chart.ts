import type { ChartBlock } from "../slack/message.ts"
import { rangeLabel } from "./range-words.ts"
import type { Trend } from "./report.ts"
import { daysIn } from "./utc-day.ts"

/** Maximum number of points for bars; above it a line is easier to read. */
const MAX_BARS = 8

const SPANS: Readonly<Record<number, { axis: string; once: string }>> = {
  1: { axis: "Days (UTC)", once: "a day" },
  7: { axis: "Weeks (UTC)", once: "a week" },
}

/** Draws people and AI over time. Slack allows at most 20 points, with different labels. */
export function chart(points: Trend): ChartBlock {
  const series = (name: string, figure: "human" | "ai") => ({
    name,
    data: points.map(({ range, figures }) => ({
      label: rangeLabel(range),
      value: figures[figure],
    })),
  })
  return {
    type: "data_visualization",
    title: "People and AI",
    chart: {
      type: points.length > MAX_BARS ? "line" : "bar",
      series: [series("People", "human"), series("AI", "ai")],
      axis_config: {
        categories: points.map(({ range }) => rangeLabel(range)),
        x_label: SPANS[lengthOf(points)]?.axis ?? `${lengthOf(points) / 7} weeks each (UTC)`,
        y_label: "Unique visitors",
      },
    },
  }
}

/** Explains why the points do not add up: each counts its own visitors. */
export function pointNote(points: Trend): string {
  return `chart: each visitor counts once ${SPANS[lengthOf(points)]?.once ?? "per point"}`
}

function lengthOf([first]: Trend): number {
  return first ? daysIn(first.range) : 1
}
