import { useId } from "preact/hooks"
import { isObject, type JsonObject, stringIn } from "../../kit/json.ts"
import type { BlockProps } from "../blocks/blocks.tsx"
import { CannotRender } from "../blocks/cannot-render.tsx"
import { Table } from "../blocks/table.tsx"
import { AxisDrawing } from "./axis-drawing.tsx"
import { type AxisChart, fullNumber, readChart } from "./chart-data.ts"

/** Renders a chart with a legend, and its numbers as a table for people who can't see it. */
export function Chart({ block }: BlockProps) {
  const titleId = useId()
  const chart = isObject(block.chart) ? readChart(block.chart) : undefined
  if (chart === undefined) return <CannotRender what="data_visualization" />
  return (
    <figure class="chart" aria-labelledby={titleId}>
      <figcaption id={titleId}>{stringIn(block, "title")}</figcaption>
      <Legend chart={chart} />
      <AxisDrawing chart={chart} />
      <details class="chart-numbers">
        <summary>Numbers</summary>
        <Table block={numbersOf(chart)} label="Chart numbers" />
      </details>
    </figure>
  )
}

/** Renders a legend that tells the series apart by shape as well as by color. */
function Legend({ chart }: { chart: AxisChart }) {
  const names = chart.series.map((series) => series.name)
  return (
    <ul class="legend">
      {names.map((name, index) => (
        <li key={name}>
          <svg class={`series-${index % 6}`} viewBox="-6 -6 12 12" aria-hidden="true">
            <path class="marker" d="M0 0h0" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Returns the numbers as a table block: a row for each category, a column for each series. */
function numbersOf({ xLabel, series, categories }: AxisChart): JsonObject {
  const head = [xLabel, ...series.map(({ name }) => name)].map(textCell)
  const rows = categories.map((category, index) => [
    textCell(category),
    ...series.map(({ values }) => numberCell(values[index] ?? 0)),
  ])
  return { type: "data_table", rows: [head, ...rows], row_header_column_index: 0 }
}

function textCell(text: string): JsonObject {
  return { type: "raw_text", text }
}

function numberCell(value: number): JsonObject {
  return { type: "raw_number", value, text: fullNumber(value) }
}
