import type { Block, KnownBlock } from "@slack/types"
import type { Range } from "../../visitors/range.ts"
import type { Point } from "../../visitors/report.ts"
import { section } from "../blocks.ts"
import { count, rangeLabel, rangeTitle } from "./format.ts"

/** Slack's chart block; not in its published types yet. */
interface ChartBlock extends Block {
  type: "data_visualization"
  title: string
  chart: {
    type: "bar" | "line"
    series: { name: string; data: { label: string; value: number }[] }[]
    axis_config: { categories: string[]; x_label: string; y_label: string }
  }
}

/** With more points than this a line reads better than bars. */
const MOST_BARS = 8
const TITLE = "People and AI"

/** People and AI over time. At most 20 points with different labels. @param asked the days of the report */
export function chart(points: readonly Point[], asked: Range): ChartBlock {
  const series = (name: string, figure: "human" | "ai") => ({
    name,
    data: points.map(({ range, figures }) => ({
      label: rangeLabel(range),
      value: figures[figure],
    })),
  })
  return {
    type: "data_visualization",
    title: chartTitle(points, asked),
    chart: {
      type: points.length > MOST_BARS ? "line" : "bar",
      series: [series("People", "human"), series("AI", "ai")],
      axis_config: {
        categories: points.map(({ range }) => rangeLabel(range)),
        x_label: xLabel(points),
        y_label: "Unique visitors",
      },
    },
  }
}

/** Its days, where they are not those of the report. At most 40 characters, as Slack takes 50. */
function chartTitle(points: readonly Point[], asked: Range): string {
  const from = firstDay(points, asked)
  return from === undefined ? TITLE : `${TITLE}, ${rangeTitle({ from, to: asked.to })}`
}

/** The first day of the chart, where days of the report before it are left out. */
function firstDay(points: readonly Point[], { from }: Range): string | undefined {
  const first = points[0]?.range.from
  return first === from ? undefined : first
}

/** What one point stands for. */
function xLabel(points: readonly Point[]): string {
  const days = points[0]?.days ?? 1
  return days === 1 ? "UTC days" : `${days}-day spans (UTC)`
}

/** The same numbers as text in columns, where a workspace takes no charts. */
export function chartAsText(points: readonly Point[], asked: Range): KnownBlock {
  const rows = [
    ["", "People", "AI"],
    ...points.map(({ range, figures }) => [
      rangeLabel(range),
      count(figures.human),
      count(figures.ai),
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(([label = "", human = "", ai = ""]) =>
    [
      label.padEnd(widths[0] ?? 0),
      human.padStart(widths[1] ?? 0),
      ai.padStart(widths[2] ?? 0),
    ].join("  "),
  )
  return section(`*${chartTitle(points, asked)}*\n\`\`\`${lines.join("\n")}\`\`\``)
}

/**
 * Says what the points are, that they cannot be summed, and why days are left out, where some are.
 */
export function pointNotes(points: readonly Point[], asked: Range): string[] {
  const days = points[0]?.days ?? 1
  const span = { 1: "day", 7: "week" }[days] ?? `${days}-day span`
  return [
    ...(firstDay(points, asked) === undefined ? [] : [`the chart shows whole ${span}s only`]),
    `returning visitors count once per ${span}`,
  ]
}
