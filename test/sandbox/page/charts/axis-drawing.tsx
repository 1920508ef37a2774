import { Bars } from "./bars.tsx"
import { type AxisChart, shortNumber, ticksFor } from "./chart-data.ts"
import { Lines } from "./lines.tsx"
import { useWidth } from "./use-width.ts"

const HEIGHT = 240
const LEFT = 44
const RIGHT = 10
const TOP = 12
const BOTTOM = 46
const LABEL = 88

export interface Plane {
  x(index: number): number
  y(value: number): number
  readonly step: number
}

export function AxisDrawing({ chart }: { chart: AxisChart }) {
  const { element, width } = useWidth<HTMLDivElement>(600)
  const ticks = ticksFor(chart.series.flatMap((series) => series.values))
  const plane = planeFor(width, chart.categories.length, ticks)
  const middle = (LEFT + width - RIGHT) / 2
  return (
    <div ref={element}>
      <svg
        class="chart-drawing"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={told(chart)}
      >
        <g class="axis">
          {ticks.map((tick) => (
            <g key={tick} class={tick === 0 ? "zero" : ""}>
              <line x1={LEFT} x2={width - RIGHT} y1={plane.y(tick)} y2={plane.y(tick)} />
              <text x={LEFT - 8} y={plane.y(tick) + 4} text-anchor="end">
                {shortNumber(tick)}
              </text>
            </g>
          ))}
          <Categories names={chart.categories} plane={plane} />
          <text x={middle} y={HEIGHT - 6} text-anchor="middle">
            {[chart.xLabel, chart.yLabel].filter(Boolean).join(" · ")}
          </text>
        </g>
        {chart.type === "bar" ? (
          <Bars chart={chart} plane={plane} />
        ) : (
          <Lines chart={chart} plane={plane} />
        )}
      </svg>
    </div>
  )
}

/** Renders as many labels as fit side by side. */
function Categories({ names, plane }: { names: readonly string[]; plane: Plane }) {
  const every = Math.max(1, Math.ceil(LABEL / plane.step))
  return names.map((name, index) =>
    index % every === 0 ? (
      <text key={name} x={plane.x(index)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
        {name}
      </text>
    ) : null,
  )
}

function planeFor(width: number, categories: number, ticks: readonly number[]): Plane {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const step = (width - LEFT - RIGHT) / Math.max(1, categories)
  return {
    step,
    x: (index) => LEFT + step * (index + 0.5),
    y: (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low)),
  }
}

function told({ type, series, categories }: AxisChart): string {
  const ranges = series.map(({ name, values }) => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return `${name} between ${shortNumber(low)} and ${shortNumber(high)}`
  })
  const span = `${categories[0] ?? ""} to ${categories.at(-1) ?? ""}`
  return `${type} chart, ${span}: ${ranges.join("; ")}`
}
