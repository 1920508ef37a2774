import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { isObject, type Json, type JsonObject } from "../../sandbox/kit/json.ts"
import { validateMessageBlocks, validateView } from "../../sandbox/slack/index.ts"
import { mrkdwn, text } from "./cases.ts"

/** Payloads that Slack accepts; `%` in the first item of an array becomes the item's number. */
const confirm = { title: text("x"), text: text("x"), confirm: text("x"), deny: text("x") }
const option = { text: text("%"), value: "%" }
const select = { type: "static_select", placeholder: text("x"), options: [option] }
const raw = { type: "raw_text", text: "x" }
const axis_config = { categories: ["x"], x_label: "x", y_label: "x" }
const chart = {
  type: "line",
  series: [{ name: "%", data: [{ label: "x", value: 1 }] }],
  axis_config,
}
const input = { type: "plain_text_input", action_id: "x", initial_value: "x", max_length: 1 }
const BASES: Readonly<Record<string, JsonObject>> = {
  section: { type: "section", block_id: "x", text: mrkdwn("x"), fields: [mrkdwn("x")] },
  header: { type: "header", text: text("x") },
  context: { type: "context", elements: [mrkdwn("x")] },
  actions: { type: "actions", elements: [{ ...button(), action_id: "a%" }] },
  button: { type: "actions", elements: [{ ...button(), confirm }] },
  select: { type: "section", text: mrkdwn("x"), accessory: select },
  input: { type: "input", label: text("x"), hint: text("x"), element: input },
  table: { type: "table", rows: [[raw]], column_settings: [null] },
  data_table: { type: "data_table", caption: "x", rows: [[raw], [raw]], page_size: 1 },
  chart: { type: "data_visualization", title: "x", chart },
  modal: {
    type: "modal",
    title: text("x"),
    submit: text("x"),
    private_metadata: "x",
    callback_id: "x",
    blocks: [{ type: "divider" }],
  },
}

function button(): JsonObject {
  const label = { accessibility_label: "x" }
  return { type: "button", text: text("x"), action_id: "x", value: "x", url: "https://x", ...label }
}

/** Limit of one field, with Slack's sentence and the type in `@slack/types` that it stands at. */
type Limit = readonly [path: string, limit: number, sentence: string, type: string]

const OF_TEXT = "Maximum length for the text in this field is"
const OF_FIELD = "Maximum length for this field is"

const DECLARED: readonly Limit[] = [
  ["section/block_id", 255, `${OF_FIELD} 255 characters`, "Block.block_id"],
  ["section/text/text", 3000, "maximum length is 3000 characters", "SectionBlock.text"],
  ["section/fields", 10, "Maximum number of items is 10", "SectionBlock.fields"],
  ["section/fields/0/text", 2000, "text in each item is 2000 characters", "SectionBlock.fields"],
  ["header/text/text", 150, `${OF_TEXT} 150 characters`, "HeaderBlock.text"],
  ["context/elements", 10, "Maximum number of items is 10", "ContextBlock.elements"],
  ["actions/elements", 25, "a maximum of 25 elements in each", "ActionsBlock.elements"],
  ["button/elements/0/text/text", 75, `${OF_TEXT} 75 characters`, "Button.text"],
  ["button/elements/0/action_id", 255, `${OF_FIELD} 255 characters`, "Action.action_id"],
  ["button/elements/0/value", 2000, `${OF_FIELD} 2000 characters`, "Button.value"],
  ["button/elements/0/url", 3000, `${OF_FIELD} 3000 characters`, "Button.url"],
  ["button/elements/0/accessibility_label", 75, "75 characters", "Button.accessibility_label"],
  ["button/elements/0/confirm/title/text", 100, `${OF_FIELD} 100 characters`, "Confirm.title"],
  ["button/elements/0/confirm/text/text", 300, "in this field is 300 characters", "Confirm.text"],
  ["button/elements/0/confirm/confirm/text", 30, "field is 30 characters", "Confirm.confirm"],
  ["button/elements/0/confirm/deny/text", 30, "field is 30 characters", "Confirm.deny"],
  ["select/accessory/options", 100, "Maximum number of options is 100", "StaticSelect.options"],
  ["select/accessory/options/0/text/text", 75, "field is 75 characters", "PlainTextOption.text"],
  ["select/accessory/options/0/value", 75, `${OF_FIELD} 75 characters`, "OptionDescriptor.value"],
  ["select/accessory/placeholder/text", 150, "is 150 characters", "Placeholdable.placeholder"],
  ["input/label/text", 2000, `${OF_TEXT} 2000 characters`, "InputBlock.label"],
  ["input/hint/text", 2000, "in this field is 2000 characters", "InputBlock.hint"],
  ["input/element/max_length", 3000, "Maximum value is 3000", "PlainTextInput.min_length"],
  ["table/rows", 100, "Maximum 100 rows", "TableBlock.rows"],
  ["table/rows/0", 20, "max of 20 table cells", "TableBlock.rows"],
  ["table/column_settings", 20, "Maximum 20 items", "TableBlock.column_settings"],
  ["modal/title/text", 24, "maximum length of 24 characters", "ModalView.title"],
  ["modal/submit/text", 24, "Max length of 24 characters", "ModalView.submit"],
  ["modal/private_metadata", 3000, "of 3000 characters", "BaseView.private_metadata"],
  ["modal/callback_id", 255, "Maximum length of 255 characters", "BaseView.callback_id"],
]

/** Limits that stand in the pages of Slack's reference alone. */
const ELSEWHERE: readonly (readonly [path: string, limit: number])[] = [
  ["modal/blocks", 100],
  // With its header row.
  ["data_table/rows", 201],
  ["data_table/caption", 3000],
  ["data_table/page_size", 100],
  ["chart/title", 50],
  ["chart/chart/series", 6],
  ["chart/chart/series/0/name", 20],
  ["chart/chart/axis_config/x_label", 50],
  ["chart/chart/axis_config/y_label", 50],
]

describe("at its limit, and one over it", () => {
  test.each([...DECLARED.map(([path, limit]) => [path, limit] as const), ...ELSEWHERE])(
    "%s: %i",
    (path, limit) => {
      expect(faults(path, limit)).toEqual([])
      expect(faults(path, limit + 1)).not.toEqual([])
    },
  )
})

describe("Slack's own word", () => {
  test.each(DECLARED)("%s may be %i: %s", (_path, _limit, sentence, type) => {
    expect(declared(type)).toContain(sentence)
  })
})

/** Returns the pointers of the faults in a payload whose field at `path` has that size. */
function faults(path: string, size: number): string[] {
  const [base = "", ...keys] = path.split("/")
  const payload = grown(BASES[base] ?? {}, keys, size)
  const issues = base === "modal" ? validateView(payload) : validateMessageBlocks([payload])
  return issues.map(({ pointer }) => pointer)
}

/** Returns a copy whose value at `path` has this length, number of items or numeric value. */
function grown(value: Json | undefined, path: readonly string[], size: number): Json {
  const [key, ...rest] = path
  if (key !== undefined && Array.isArray(value))
    return value.map((item, n) => (n === Number(key) ? grown(item, rest, size) : item))
  if (key !== undefined && isObject(value))
    return { ...value, [key]: grown(value[key], rest, size) }
  if (Array.isArray(value)) {
    const item = JSON.stringify(value[0])
    return Array.from({ length: size }, (_, n) => JSON.parse(item.replaceAll("%", String(n))))
  }
  return typeof value === "string" ? value.padEnd(size, "x") : size
}

/** Returns the comment of a field in `@slack/types`, such as `Button.text`, as running text. */
function declared(field: string): string {
  const [name, property] = field.split(".")
  const folder = dirname(createRequire(import.meta.url).resolve("@slack/types"))
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const source = files
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n")
  const start = source.search(new RegExp(`interface ${name}\\b`))
  const body = source.slice(start, source.indexOf("\n}", start))
  const comments = body.slice(0, body.search(new RegExp(`^ {4}${property}\\??:`, "m")))
  return comments
    .slice(comments.lastIndexOf("/**"))
    .replaceAll(/\s*\n\s*\*\s?/g, " ")
    .replaceAll("`", "")
}
