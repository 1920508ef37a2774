import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { type AxisChart, fullNumber, shortNumber, ticksFor } from "./chart-data.ts"

const HEIGHT = 240
const LEFT = 44
const RIGHT = 10
const TOP = 12
const BOTTOM = 46
const LABEL = 88

interface Plane {
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

function Bars({ chart, plane }: { chart: AxisChart; plane: Plane }) {
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

function Lines({ chart, plane }: { chart: AxisChart; plane: Plane }) {
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

const SHAPES = [
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
  "M-4-4h8v8h-8z",
  "M0-5 5 4h-10z",
  "M0-5 5 0 0 5-5 0z",
  "M-5-2h10v4h-10z",
  "M-2-5h4v10h-4z",
]

export function Marker({ index }: { index: number }) {
  return <path class={`series-${index % SHAPES.length} marker`} d={SHAPES[index % SHAPES.length]} />
}

/** Returns an element's width in CSS pixels, which drawings are sized by. */
function useWidth<E extends Element>(first: number) {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    if (!element.current) return
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.round(entry.contentRect.width))
    })
    sizes.observe(element.current)
    return () => sizes.disconnect()
  }, [])
  return { element, width: Math.max(width, 120) }
}
