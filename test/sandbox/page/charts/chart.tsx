import { useId } from "preact/hooks"
import { isObject, stringIn } from "../../kit/json.ts"
import type { BlockProps } from "../blocks/blocks.tsx"
import { CannotRender } from "../blocks/cannot-render.tsx"
import { ScrollableGroup } from "../shell/scrollable.tsx"
import { AxisDrawing, Marker } from "./axis-drawing.tsx"
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
        <ScrollableGroup class="table-scroll" aria-label="Chart numbers">
          <AxisNumbers chart={chart} />
        </ScrollableGroup>
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
          <svg viewBox="-6 -6 12 12" aria-hidden="true">
            <Marker index={index} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

function AxisNumbers({ chart }: { chart: AxisChart }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{chart.xLabel}</th>
          {chart.series.map((series) => (
            <th key={series.name} scope="col" class="align-right">
              {series.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {chart.categories.map((category, index) => (
          <tr key={category}>
            <th scope="row">{category}</th>
            {chart.series.map((series) => (
              <td key={series.name} class="align-right">
                {fullNumber(series.values[index] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
