import type { Block, KnownBlock } from "@slack/types"
import { daysIn } from "../../visitors/day.ts"
import type { Point } from "../../visitors/report.ts"
import { section } from "../blocks.ts"
import { count, rangeLabel } from "./format.ts"

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
        x_label: `${capital(span(points))} (UTC)`,
        y_label: "Unique visitors",
      },
    },
  }
}

/** The same numbers as text in columns, where a workspace takes no charts. */
export function chartAsText(points: readonly Point[]): KnownBlock {
  const rows = [
    ["", "People", "AI"],
    ...points.map(({ range, figures: { human, ai } }) => [
      rangeLabel(range),
      count(human),
      count(ai),
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

/** Points cannot be summed: each counts its own visitors. */
export function pointNote(points: readonly Point[]): string {
  const unit = span(points)
  return `repeat visits ${unit === "days" ? "on the same day" : `within one of the ${unit}`} count once`
}

/** Stands for one point: `days`, `weeks`, `spans of 7–8 days`. */
function span(points: readonly Point[]): string {
  const lengths = points.map(({ range }) => daysIn(range))
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)]
  if (most === 1) return "days"
  if (least === 7 && most === 7) return "weeks"
  return `spans of ${least === most ? "" : `${least}–`}${most} days`
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
