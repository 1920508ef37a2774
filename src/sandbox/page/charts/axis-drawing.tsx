import { Bars } from "./bars.tsx"
import { type AxisChart, shortNumber, ticksFor } from "./chart-data.ts"
import { Lines } from "./lines.tsx"

const WIDTH = 600
const HEIGHT = 250
const LEFT = 46
const RIGHT = 12
const TOP = 12
const BOTTOM = 44
/** As many labels under the axis as fit without turning them. */
const LABELS = 7

/** Where values and categories stand in the drawing. */
export interface Plane {
  /** The middle of a category. */
  x(index: number): number
  y(value: number): number
  /** The width one category has for itself. */
  readonly step: number
}

export function AxisDrawing({ chart }: { chart: AxisChart }) {
  const ticks = ticksFor(chart.series.flatMap((series) => series.values))
  const plane = planeFor(chart.categories.length, ticks)
  return (
    <svg
      class="chart-drawing"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={told(chart)}
    >
      <g class="axis">
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={LEFT}
              x2={WIDTH - RIGHT}
              y1={plane.y(tick)}
              y2={plane.y(tick)}
              class={tick === 0 ? "zero" : ""}
            />
            <text x={LEFT - 8} y={plane.y(tick) + 4} text-anchor="end">
              {shortNumber(tick)}
            </text>
          </g>
        ))}
        <Categories names={chart.categories} plane={plane} />
        <text class="axis-name" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4} text-anchor="middle">
          {[chart.xLabel, chart.yLabel].filter(Boolean).join(" · ")}
        </text>
      </g>
      {chart.type === "bar" ? (
        <Bars chart={chart} plane={plane} />
      ) : (
        <Lines chart={chart} plane={plane} filled={chart.type === "area"} />
      )}
    </svg>
  )
}

function Categories({ names, plane }: { names: readonly string[]; plane: Plane }) {
  const every = Math.ceil(names.length / LABELS)
  return names.map((name, index) =>
    index % every === 0 ? (
      <text key={name} x={plane.x(index)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
        {name}
      </text>
    ) : null,
  )
}

function planeFor(categories: number, ticks: readonly number[]): Plane {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, categories)
  return {
    step,
    x: (index) => LEFT + step * (index + 0.5),
    y: (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low)),
  }
}

/** What the drawing shows, in a sentence; the exact numbers stand in the table below it. */
function told({ type, series, categories }: AxisChart): string {
  const ranges = series.map(({ name, values }) => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return `${name} between ${shortNumber(low)} and ${shortNumber(high)}`
  })
  const span = `${categories[0] ?? ""} to ${categories.at(-1) ?? ""}`
  return `${type} chart, ${span}: ${ranges.join("; ")}`
}
