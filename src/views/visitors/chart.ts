import type { Block, KnownBlock } from "@slack/types"
import type { Point } from "../../visitors/report.ts"
import { section } from "../blocks.ts"
import { count, rangeLabel } from "./words.ts"

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

/** People and AI over time. At most 20 points with different labels. */
export function chart(points: readonly Point[]): ChartBlock {
  const series = (name: string, figure: "human" | "ai") => ({
    name,
    data: points.map(({ range, figures }) => ({
      label: rangeLabel(range),
      value: figures[figure],
    })),
  })
  return {
    type: "data_visualization",
    title: TITLE,
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

/** What one point stands for. */
function xLabel(points: readonly Point[]): string {
  const days = points[0]?.days ?? 1
  return days === 1 ? "UTC days" : `Spans of ${days} UTC days`
}

/** The same numbers as text in columns, where a workspace takes no charts. */
export function chartAsText(points: readonly Point[]): KnownBlock {
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
  return section(`*${TITLE}*\n\`\`\`${lines.join("\n")}\`\`\``)
}

/** That points cannot be summed, which have one length. */
export function pointNote(points: readonly Point[]): string {
  const days = points[0]?.days ?? 1
  return `returning visitors count once per ${days === 1 ? "day" : `${days} days`}`
}
