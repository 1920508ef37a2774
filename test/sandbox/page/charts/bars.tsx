import type { Plane } from "./axis-drawing.tsx"
import { type AxisChart, fullNumber } from "./chart-data.ts"

export function Bars({ chart, plane }: { chart: AxisChart; plane: Plane }) {
  const group = plane.step * 0.72
  const width = Math.min(44, group / Math.max(1, chart.series.length))
  const from = (width * chart.series.length) / 2
  return chart.series.map((series, number) => (
    <g key={series.name} class={`series-${number % 6}`}>
      {series.values.map((value, index) => {
        const [top, bottom] = [plane.y(Math.max(0, value)), plane.y(Math.min(0, value))]
        const x = plane.x(index) - from + width * number
        return (
          <rect
            key={chart.categories[index]}
            class="bar"
            x={x + 1}
            y={top}
            width={width - 2}
            height={Math.max(1, bottom - top)}
            rx={Math.min(3, width / 4)}
          >
            <title>{`${series.name}, ${chart.categories[index]}: ${fullNumber(value)}`}</title>
          </rect>
        )
      })}
    </g>
  ))
}
