import type { Plane } from "./axis-drawing.tsx"
import { type AxisChart, fullNumber } from "./chart-data.ts"
import { Marker } from "./marker.tsx"

export function Lines({ chart, plane }: { chart: AxisChart; plane: Plane }) {
  return chart.series.map((series, number) => {
    const points = series.values.map((value, index) => `${plane.x(index)},${plane.y(value)}`)
    return (
      <g key={series.name} class={`series-${number % 6}`}>
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
