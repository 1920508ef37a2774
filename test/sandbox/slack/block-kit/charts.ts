import { z } from "zod"
import { blockId, chars } from "./fields.ts"

/**
 * Maximum number of series. Slack's documentation named 6 first and 12 later; some workspaces may
 * still have the older limit, so the stricter one applies here.
 */
const MOST_SERIES = 6
const label = chars(20)

const point = z.strictObject({ label, value: z.number() })
const series = z.strictObject({ name: label, data: z.array(point).min(1).max(20) })

const axisConfig = z.strictObject({
  categories: z.array(label).min(1).max(20),
  x_label: chars(50).optional(),
  y_label: chars(50).optional(),
})

const axisChart = z
  .strictObject({
    type: z.enum(["line", "bar"]),
    series: z.array(series).min(1).max(MOST_SERIES),
    axis_config: axisConfig,
  })
  .check((context) => {
    const { series: lines, axis_config } = context.value
    const fault = (message: string, path: PropertyKey[]) =>
      context.issues.push({ code: "custom", input: context.value, message, path })
    if (!areUnique(axis_config.categories)) {
      fault("must not contain duplicate categories", ["axis_config", "categories"])
    }
    if (!areUnique(lines.map((line) => line.name))) fault("series names must be unique", ["series"])
    lines.forEach((line, index) => {
      const labels = line.data.map((entry) => entry.label)
      if (areSame(labels, axis_config.categories)) return
      fault("must have exactly one data point for each category", ["series", index, "data"])
    })
  })

export const dataVisualization = z.strictObject({
  type: z.literal("data_visualization"),
  block_id: blockId,
  title: chars(50),
  chart: axisChart,
})

function areUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join("\n") === [...other].sort().join("\n")
}
