import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"

export type AxisChart = NonNullable<ReturnType<typeof readChart>>

/** Returns the chart of a `data_visualization` block; undefined for an unsupported type. */
export function readChart(chart: JsonObject) {
  const { type } = chart
  if (type !== "line" && type !== "bar") return undefined
  const axis = isObject(chart.axis_config) ? chart.axis_config : {}
  const categories = Array.isArray(axis.categories) ? axis.categories.map(String) : []
  return {
    type,
    categories,
    series: objectsIn(chart.series).map(readSeries),
    xLabel: stringIn(axis, "x_label") ?? "",
    yLabel: stringIn(axis, "y_label") ?? "",
  }
}

/** Reads a series, whose points the bot sends in the order of the categories. */
function readSeries(series: JsonObject) {
  const values = objectsIn(series.data).map((point) => Number(point.value))
  return { name: stringIn(series, "name") ?? "", values }
}

/** Returns about four round steps from zero up to all values, of which the bot sends no negative. */
export function ticksFor(values: readonly number[]): number[] {
  const high = Math.max(...values)
  if (high === 0) return [0, 1]
  const rough = high / 4
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((n) => n * magnitude).find((n) => n >= rough) ?? rough
  return Array.from({ length: Math.ceil(high / step) + 1 }, (_, n) => n * step)
}

/** Formats a number for an axis, such as "12.5K". */
export function shortNumber(value: number): string {
  return new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 }).format(
    value,
  )
}

export function fullNumber(value: number): string {
  return value.toLocaleString("en-US")
}
