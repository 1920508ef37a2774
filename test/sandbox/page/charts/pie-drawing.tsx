import { fullNumber, type PieChart } from "./chart-data.ts"

const RADIUS = 100

export function PieDrawing({ chart }: { chart: PieChart }) {
  const total = chart.segments.reduce((sum, segment) => sum + segment.value, 0)
  const shares = chart.segments.map((segment) => segment.value / total)
  const told = chart.segments.map(({ label }, index) => `${label} ${percent(shares[index] ?? 0)}`)
  return (
    <svg
      class="chart-drawing pie"
      viewBox="-110 -110 220 220"
      role="img"
      aria-label={`pie chart: ${told.join("; ")}`}
    >
      {chart.segments.map((segment, index) => {
        const from = shares.slice(0, index).reduce((sum, share) => sum + share, 0)
        const share = shares[index] ?? 0
        return (
          <g key={segment.label} class={`series-${index % 6}`}>
            <path class="segment" d={slice(from, from + share)} />
            <title>{`${segment.label}: ${fullNumber(segment.value)} (${percent(share)})`}</title>
            {share > 0.06 ? <Share at={from + share / 2} words={percent(share)} /> : null}
          </g>
        )
      })}
    </svg>
  )
}

function Share({ at, words }: { at: number; words: string }) {
  const [x, y] = pointAt(at, RADIUS * 0.68)
  return (
    <text class="share" x={x} y={y + 4} text-anchor="middle">
      {words}
    </text>
  )
}

/** A slice between two shares of the whole, clockwise from the top. */
function slice(from: number, to: number): string {
  // One segment alone is a whole disc, which an arc from a point to itself cannot draw.
  const end = Math.min(to, from + 0.9999)
  const [x1, y1] = pointAt(from, RADIUS)
  const [x2, y2] = pointAt(end, RADIUS)
  const large = end - from > 0.5 ? 1 : 0
  return `M0 0L${x1} ${y1}A${RADIUS} ${RADIUS} 0 ${large} 1 ${x2} ${y2}z`
}

function pointAt(share: number, radius: number): [number, number] {
  const angle = share * 2 * Math.PI
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius]
}

function percent(share: number): string {
  return share.toLocaleString("en-US", { style: "percent", maximumFractionDigits: 0 })
}
