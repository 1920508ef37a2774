import { z } from "zod"
import { blockId, chars } from "./fields.ts"

const rawText = z.strictObject({ type: z.literal("raw_text"), text: chars(Infinity) })
const rawNumber = z.strictObject({
  type: z.literal("raw_number"),
  value: z.number(),
  text: chars(Infinity),
})
const cell = z.discriminatedUnion("type", [rawText, rawNumber])

const column = z.strictObject({
  align: z.enum(["left", "center", "right"]).optional(),
  is_wrapped: z.boolean().optional(),
})

export const table = z.strictObject({
  type: z.literal("table"),
  block_id: blockId,
  rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
  column_settings: z.array(column.nullable()).max(20).optional(),
})

/** Header row and 1 to 200 rows, all with the same 1 to 20 columns. */
export const dataTable = z
  .strictObject({
    type: z.literal("data_table"),
    block_id: blockId,
    caption: chars(3000),
    rows: z.tuple([z.array(cell).min(1).max(20)], z.array(cell).min(1).max(20)),
    page_size: z.int().min(1).max(100).optional(),
    row_header_column_index: z.int().min(0).max(19).optional(),
  })
  .check((context) => {
    const { rows, row_header_column_index: rowHeader } = context.value
    const [head, ...body] = rows
    const fault = (message: string, path: PropertyKey[]) =>
      context.issues.push({ code: "custom", input: context.value, message, path })
    if (body.length === 0) fault("at least 1 data row required", ["rows"])
    if (body.length > 200) fault("no more than 200 data rows allowed", ["rows"])
    body.forEach((row, index) => {
      if (row.length === head.length) return
      fault(`must have as many cells as the header row (${head.length})`, ["rows", index + 1])
    })
    if (rowHeader !== undefined && rowHeader >= head.length) {
      fault("must be the index of a column", ["row_header_column_index"])
    }
  })

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
