import { describe, expect, it } from "vitest"
import type { Json, JsonObject } from "../../sandbox/kit/json.ts"
import { validateMessageBlocks } from "../../sandbox/slack/index.ts"
import { type AcceptedCase, checkBlocks, letters, type RefusedCase, times } from "./cases.ts"

const raw = (content: string) => ({ type: "raw_text", text: content })
const row = (width: number) => times(width, () => raw("x"))

const table = (rows: Json, more: JsonObject = {}) => ({ type: "table", rows, ...more })
const dataTable = (rows: Json, more: JsonObject = {}) => ({
  type: "data_table",
  caption: "Pages",
  rows,
  ...more,
})

const categories = ["Mon", "Tue"]
const line = (name: string, labels = categories) => ({
  name,
  data: labels.map((label) => ({ label, value: -1 })),
})
const chart = (type: string, series: Json, axis: JsonObject = {}) => ({
  type: "data_visualization",
  title: "Visitors",
  chart: { type, series, axis_config: { categories, ...axis } },
})
const twenty = times(20, (n) => ({ label: `${n}`, value: 1 }))

const accepted: AcceptedCase[] = [
  ["a table of 100 rows and 20 columns", table(times(100, () => row(20)))],
  ["a data table of 200 rows", dataTable(times(201, () => row(1)))],
  [
    "a chart of 20 points",
    {
      type: "data_visualization",
      title: letters(50),
      chart: {
        type: "line",
        series: [{ name: letters(20), data: twenty }],
        axis_config: { categories: twenty.map((point) => point.label) },
      },
    },
  ],
]

const refused: RefusedCase[] = [
  ["a cell of markup", table([[{ type: "mrkdwn", text: "x" }]]), "/rows/0/0/type unsupported type"],
  ["a data table without rows", dataTable([row(1)]), "/rows at least 1 data row required"],
  [
    "201 rows of data",
    dataTable(times(202, () => row(1))),
    "/rows no more than 200 data rows allowed",
  ],
  [
    "rows of different length",
    dataTable([row(2), row(1)]),
    "/rows/1 must have as many cells as the header row (2)",
  ],
  [
    "a row header that is no column",
    dataTable([row(1), row(1)], { row_header_column_index: 1 }),
    "/row_header_column_index must be the index of a column",
  ],
  ["an unknown chart", chart("radar", [line("x")]), "/chart/type must be one of: line, bar"],
  [
    "two series of one name",
    chart("line", [line("x"), line("x")]),
    "/chart/series series names must be unique",
  ],
  [
    "a missing point",
    chart("line", [line("x", ["Mon"])]),
    "/chart/series/0/data must have exactly one data point for each category",
  ],
  [
    "a point of no category",
    chart("line", [line("x", ["Mon", "Sun"])]),
    "/chart/series/0/data must have exactly one data point for each category",
  ],
  [
    "two categories of one name",
    chart("line", [line("x", ["Mon", "Mon"])], { categories: ["Mon", "Mon"] }),
    "/chart/axis_config/categories must not contain duplicate categories",
  ],
]

describe("a block of data", () => checkBlocks(accepted, refused))

describe("a message of data", () => {
  it.each([
    ["two tables", [table([row(1)]), table([row(1)])], "no more than 1 table blocks allowed"],
    [
      "three charts",
      times(3, () => chart("bar", [line("x")])),
      "no more than 2 data_visualization blocks allowed",
    ],
    [
      "10,001 characters in a table",
      [table([[raw(letters(10_001))]])],
      "table blocks must be less than 10001 characters",
    ],
    [
      "20,001 characters in data tables",
      [dataTable([row(1), [raw(letters(20_000))]])],
      "data_table blocks must be less than 20001 characters",
    ],
  ])("may not hold %s", (_name, blocks, message) => {
    expect(validateMessageBlocks(blocks).map((one) => one.message)).toEqual([message])
  })

  it("is refused by a workspace that does not know the block", () => {
    const blocks = [chart("bar", [line("x")]), table([row(1)])]
    const faults = validateMessageBlocks(blocks, new Set(["data_visualization", "table"]))
    expect(faults).toEqual([
      { pointer: "/blocks/0/type", message: "unsupported type: data_visualization" },
      { pointer: "/blocks/1/type", message: "unsupported type: table" },
    ])
  })
})
