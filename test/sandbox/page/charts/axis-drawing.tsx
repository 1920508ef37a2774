import { type AxisChart, fullNumber, shortNumber, ticksFor } from "./chart-data.ts"

/** Number of labels that fit side by side; on a narrow screen, every other of them does. */
const LABELS = 8
/** Part of a category's width that its bars fill. */
const FILLED = 0.7

/** Renders a drawing that the browser stretches to its place, with labels that keep their size. */
export function AxisDrawing({ chart }: { chart: AxisChart }) {
  const { type, categories, series, xLabel, yLabel } = chart
  const ticks = ticksFor(series.flatMap(({ values }) => values))
  const high = ticks.at(-1) ?? 1
  const Shape = type === "bar" ? Bars : Line
  return (
    <div class="chart-drawing" role="img" aria-label={told(chart)}>
      <div class="chart-ticks">
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{shortNumber(tick)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${categories.length} ${high}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {ticks.map((tick) => (
          <path
            key={tick}
            class={tick === 0 ? "tick zero" : "tick"}
            d={`M0 ${high - tick}h${categories.length}`}
          />
        ))}
        {series.map(({ name }, number) => (
          <g key={name} class={`series-${number % 6}`}>
            <Shape chart={chart} number={number} high={high} />
          </g>
        ))}
      </svg>
      <Categories names={categories} />
      <p>{[xLabel, yLabel].filter(Boolean).join(" · ")}</p>
    </div>
  )
}

function Categories({ names }: { names: readonly string[] }) {
  const every = Math.ceil(names.length / LABELS)
  return (
    <div class="chart-categories">
      {names.map((name, index) => (
        <span key={name} class={(index / every) % 2 === 1 ? "spare" : ""}>
          {index % every === 0 ? name : null}
        </span>
      ))}
    </div>
  )
}

function told({ type, series, categories }: AxisChart): string {
  const ranges = series.map(({ name, values }) => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return `${name} between ${shortNumber(low)} and ${shortNumber(high)}`
  })
  const span = `${categories[0] ?? ""} to ${categories.at(-1) ?? ""}`
  return `${type} chart, ${span}: ${ranges.join("; ")}`
}

interface ShapeProps {
  readonly chart: AxisChart
  /** Index of the series. */
  readonly number: number
  /** Value at the upper edge. */
  readonly high: number
}

function Bars({ chart, number, high }: ShapeProps) {
  const width = FILLED / chart.series.length
  const from = (1 - FILLED) / 2 + width * number
  return chart.series[number]?.values.map((value, index) => (
    <rect
      key={chart.categories[index]}
      class="bar"
      x={index + from}
      y={high - value}
      width={width * 0.95}
      height={value}
    >
      <title>{pointIn(chart, number, index)}</title>
    </rect>
  ))
}

function Line({ chart, number, high }: ShapeProps) {
  const values = chart.series[number]?.values ?? []
  const points = values.map((value, index) => `${index + 0.5} ${high - value}`)
  return (
    <>
      <polyline class="line" points={points.join(" ")} />
      {points.map((point, index) => (
        <path key={chart.categories[index]} class="marker" d={`M${point}h0`}>
          <title>{pointIn(chart, number, index)}</title>
        </path>
      ))}
    </>
  )
}

function pointIn({ series, categories }: AxisChart, number: number, index: number): string {
  const { name = "", values = [] } = series[number] ?? {}
  return `${name}, ${categories[index]}: ${fullNumber(values[index] ?? 0)}`
}
