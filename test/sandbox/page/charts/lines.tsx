import type { Plane } from "./axis-drawing.tsx"
import { type AxisChart, fullNumber } from "./chart-data.ts"
import { Marker } from "./marker.tsx"

/** Lines with a mark at each point; an area is a line that is filled down to zero. */
export function Lines(props: { chart: AxisChart; plane: Plane; filled: boolean }) {
  const { chart, plane, filled } = props
  return chart.series.map((series, number) => {
    const points = series.values.map((value, index) => `${plane.x(index)},${plane.y(value)}`)
    const last = plane.x(series.values.length - 1)
    return (
      <g key={series.name} class={`series-${number % 6}`}>
        {filled ? (
          <path
            class="area"
            d={`M${plane.x(0)},${plane.y(0)}L${points.join("L")}L${last},${plane.y(0)}z`}
          />
        ) : null}
        <polyline class="line" points={points.join(" ")} />
        {series.values.map((value, index) => (
          <g
            key={chart.categories[index]}
            transform={`translate(${plane.x(index)} ${plane.y(value)}) scale(0.8)`}
          >
            <Marker index={number} />
            <title>{`${series.name}, ${chart.categories[index]}: ${fullNumber(value)}`}</title>
          </g>
        ))}
      </g>
    )
  })
}
