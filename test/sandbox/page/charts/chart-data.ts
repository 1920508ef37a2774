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
    series: objectsIn(chart.series).map((one) => readSeries(one, categories)),
    xLabel: stringIn(axis, "x_label") ?? "",
    yLabel: stringIn(axis, "y_label") ?? "",
  }
}

/** Reads a series. Points can come in any order: their label names the category. */
function readSeries(series: JsonObject, categories: readonly string[]) {
  const values = new Map(
    objectsIn(series.data).map((point) => [stringIn(point, "label"), Number(point.value)]),
  )
  return {
    name: stringIn(series, "name") ?? "",
    values: categories.map((category) => values.get(category) ?? 0),
  }
}

/** Returns about four round steps that cover all values and zero. */
export function ticksFor(values: readonly number[]): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (low === high) return [0, 1]
  const rough = (high - low) / 4
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((n) => n * magnitude).find((n) => n >= rough) ?? rough
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
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
