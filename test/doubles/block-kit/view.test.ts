import { describe, expect, it } from "vitest"
import type { Json, JsonObject } from "../../sandbox/kit/json.ts"
import { validateView } from "../../sandbox/slack/index.ts"
import { option, text } from "./cases.ts"

const input = (element: Json, more: JsonObject = {}) => ({
  type: "input",
  label: text("Prompt"),
  element,
  ...more,
})
const plainInput = { type: "plain_text_input", action_id: "text", max_length: 3000 }
const modal = (blocks: Json, more: JsonObject = {}) => ({
  type: "modal",
  title: text("Ask"),
  submit: text("Send"),
  blocks,
  ...more,
})

describe("a view", () => {
  it.each<[string, JsonObject]>([
    ["a modal with an input", modal([input(plainInput)])],
    [
      "a modal of every input",
      modal([
        input(plainInput),
        input({ type: "static_select", options: [option("a")] }),
        input({
          type: "conversations_select",
          filter: { include: ["im"] },
        }),
      ]),
    ],
    ["a Home tab", { type: "home", blocks: [{ type: "divider" }], private_metadata: "" }],
  ])("may be %s", (_name, view) => {
    expect(validateView(view)).toEqual([])
  })

  it.each<[string, Json, string]>([
    ["no object", "x", "/view must provide an object"],
    ["of no type", { blocks: [] }, "/view/type unsupported type"],
    [
      "a modal without a title",
      { type: "modal", blocks: [] },
      "/view/title missing required field",
    ],
    [
      "an input without a button",
      { type: "modal", title: text("x"), blocks: [input(plainInput)] },
      "/view missing required field: submit",
    ],
    [
      "markdown in a modal",
      modal([{ type: "markdown", text: "x" }]),
      "/view/blocks/0/type unsupported type: markdown",
    ],
    [
      "a table in a modal",
      modal([{ type: "table", rows: [] }]),
      "/view/blocks/0/type unsupported type: table",
    ],
    [
      "a chart on a Home tab",
      { type: "home", blocks: [{ type: "data_visualization" }] },
      "/view/blocks/0/type unsupported type: data_visualization",
    ],
    [
      "a button as an input",
      modal([input({ type: "button", text: text("x") })]),
      "/view/blocks/0/element/type unsupported type",
    ],
    [
      "an input without a label",
      modal([{ type: "input", element: plainInput }]),
      "/view/blocks/0/label missing required field",
    ],
    [
      "two inputs with the focus",
      modal([
        input({ ...plainInput, focus_on_load: true }),
        input({ ...plainInput, focus_on_load: true }),
      ]),
      "/view/blocks/1/element only one element may have focus_on_load set to true",
    ],
  ])("may not be %s", (_name, view, fault) => {
    const faults = validateView(view).map((one) => `${one.pointer} ${one.message}`)
    expect(faults).toContain(fault)
  })
})
