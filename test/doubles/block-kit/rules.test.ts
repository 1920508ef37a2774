import { describe, expect, it } from "vitest"
import type { Json, JsonObject } from "../../sandbox/kit/json.ts"
import { formatIssue, validateMessageBlocks, validateView } from "../../sandbox/slack/index.ts"
import { mrkdwn, text } from "./cases.ts"

// `limits.test.ts` has the rules that are a number.

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))
const button = (action_id: string, more: JsonObject = {}) => ({
  type: "button",
  text: text("Go"),
  action_id,
  ...more,
})
const section = (object: JsonObject) => ({ type: "section", text: object })
const rich = (element: JsonObject) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [element] }],
})
const actions = (...elements: JsonObject[]) => ({ type: "actions", elements })
const option = (value: string) => ({ text: text(value), value })

const raw = (content: string) => ({ type: "raw_text", text: content })
const row = (width: number) => times(width, () => raw("x"))
const table = (rows: Json) => ({ type: "table", rows })
const dataTable = (rows: Json, more: JsonObject = {}) => ({
  type: "data_table",
  caption: "Pages",
  rows,
  ...more,
})

const line = (name: string, ...labels: string[]) => ({
  name,
  data: labels.map((label) => ({ label, value: -1 })),
})
const chart = (type: string, series: Json, ...categories: string[]) => ({
  type: "data_visualization",
  title: "Visitors",
  chart: { type, series, axis_config: { categories } },
})
const twenty = times(20, String)
const EACH = "must have exactly one data point for each category"

describe("a block", () => {
  it.each<[string, JsonObject]>([
    ["3000 emoji, counted in code points", section(mrkdwn("🚀".repeat(3000)))],
    ["a chart of 20 points", chart("line", [line("x", ...twenty)], ...twenty)],
  ])("may be %s", (_name, block) => {
    expect(validateMessageBlocks([block])).toEqual([])
  })

  it.each<[fault: string, block: JsonObject]>([
    ["/type unsupported type: marquee", { type: "marquee" }],
    [" must provide either text or fields", { type: "section" }],
    ["/text invalid additional property: verbatim", section({ ...text("x"), verbatim: true })],
    ["/text/type must be one of: plain_text", { type: "header", text: mrkdwn("x") }],
    // No mention in rich text is a word that somebody typed.
    [
      "/elements/0/elements/0/type must be one of: text",
      rich({ type: "broadcast", range: "here" }),
    ],
    ["/elements/0/url invalid url", actions(button("a", { url: "nowhere" }))],
    ['/elements/1/action_id `action_id` must be unique: "a"', actions(button("a"), button("a"))],
    [
      "/elements/0 initial option must be one of the options",
      actions({ type: "static_select", options: [option("a")], initial_option: option("b") }),
    ],
    ["/rows/0/0/type unsupported type", table([[mrkdwn("x")]])],
    ["/rows at least 1 data row required", dataTable([row(1)])],
    ["/rows/1 must have as many cells as the header row (2)", dataTable([row(2), row(1)])],
    [
      "/row_header_column_index must be the index of a column",
      dataTable([row(1), row(1)], { row_header_column_index: 1 }),
    ],
    ["/chart/type must be one of: line, bar", chart("radar", [])],
    [
      "/chart/series series names must be unique",
      chart("line", [line("x", "Mon"), line("x", "Mon")], "Mon"),
    ],
    // A point is missing, or has no category.
    [`/chart/series/0/data ${EACH}`, chart("line", [line("x")], "Mon")],
    [`/chart/series/0/data ${EACH}`, chart("line", [line("x", "Mon", "Sun")], "Mon", "Tue")],
    [
      "/chart/axis_config/categories must not contain duplicate categories",
      chart("line", [line("x", "Mon", "Mon")], "Mon", "Mon"),
    ],
  ])("is refused: %s", (fault, block) => {
    const faults = validateMessageBlocks([block]).map((one) => `${one.pointer} ${one.message}`)
    expect(faults).toContain(`/blocks/0${fault}`)
  })
})

describe("the blocks of a message", () => {
  const divider = { type: "divider", block_id: "same" }

  it.each<[fault: string, blocks: Json]>([
    ["no more than 50 items allowed", times(51, () => ({ type: "divider" }))],
    ['`block_id` must be unique: "same"', [divider, divider]],
    ["must provide an array", "[]"],
    ["no more than 1 table blocks allowed", [table([row(1)]), table([row(1)])]],
    [
      "no more than 2 data_visualization blocks allowed",
      times(3, () => chart("bar", [line("x", "Mon")], "Mon")),
    ],
    ["table blocks must be less than 10001 characters", [table([[raw("x".repeat(10_001))]])]],
    [
      "data_table blocks must be less than 20001 characters",
      [dataTable([row(1), [raw("x".repeat(20_000))]])],
    ],
  ])("are refused: %s", (fault, blocks) => {
    expect(validateMessageBlocks(blocks).map((one) => one.message)).toEqual([fault])
  })

  it("may be 50, and may repeat an action id in another block", () => {
    expect(validateMessageBlocks(times(50, () => ({ type: "divider" })))).toEqual([])
    expect(validateMessageBlocks([actions(button("a")), actions(button("a"))])).toEqual([])
  })

  it("are refused by a workspace that does not know one, in Slack's words", () => {
    const blocks = [chart("bar", [line("x", "Mon")], "Mon"), table([row(1)])]
    const faults = validateMessageBlocks(blocks, new Set(["data_visualization", "table"]))
    expect(faults.map(formatIssue)).toEqual([
      "unsupported type: data_visualization [json-pointer:/blocks/0/type]",
      "unsupported type: table [json-pointer:/blocks/1/type]",
    ])
  })
})

describe("a view", () => {
  const input = (element: JsonObject) => ({ type: "input", label: text("Prompt"), element })
  const typed = { type: "plain_text_input", action_id: "text", max_length: 3000 }
  const select = { type: "conversations_select", filter: { include: ["im"] } }
  const modal = (...blocks: JsonObject[]) => ({
    type: "modal",
    title: text("Ask"),
    submit: text("Send"),
    blocks,
  })

  it.each<[string, JsonObject]>([
    [
      "a modal of every input",
      modal(input(typed), input({ type: "static_select", options: [option("a")] }), input(select)),
    ],
    ["a Home tab", { type: "home", blocks: [{ type: "divider" }], private_metadata: "" }],
  ])("may be %s", (_name, view) => {
    expect(validateView(view)).toEqual([])
  })

  const focused = input({ ...typed, focus_on_load: true })
  const { submit: _, ...unsent } = modal(input(typed))
  const chartAtHome = { type: "home", blocks: [{ type: "data_visualization" }] }
  const at = "/view/blocks/0"

  it.each<[fault: string, view: Json]>([
    ["/view must provide an object", "x"],
    ["/view/type unsupported type", { blocks: [] }],
    ["/view/title missing required field", { type: "modal", blocks: [] }],
    ["/view missing required field: submit", unsent],
    [`${at}/type unsupported type: markdown`, modal({ type: "markdown" })],
    [`${at}/type unsupported type: table`, modal(table([]))],
    [`${at}/type unsupported type: data_visualization`, chartAtHome],
    [`${at}/element/type unsupported type`, modal(input(button("a")))],
    [`${at}/label missing required field`, modal({ type: "input", element: typed })],
    [
      "/view/blocks/1/element only one element may have focus_on_load set to true",
      modal(focused, focused),
    ],
  ])("is refused: %s", (fault, view) => {
    const faults = validateView(view).map((one) => `${one.pointer} ${one.message}`)
    expect(faults).toContain(fault)
  })
})
