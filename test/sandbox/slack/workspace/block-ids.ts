import { isObject, type Json, type JsonObject, objectsIn, typeOf } from "../json.ts"
import { newId } from "./ids.ts"

const interactive = new Set([
  "button",
  "workflow_button",
  "checkboxes",
  "radio_buttons",
  "overflow",
  "datepicker",
  "timepicker",
  "datetimepicker",
  "plain_text_input",
  "rich_text_input",
  "email_text_input",
  "url_text_input",
  "number_input",
  "file_input",
  "feedback_buttons",
  "icon_button",
])

export function isInteractive(element: JsonObject): boolean {
  const type = typeOf(element)
  return interactive.has(type) || type.endsWith("_select")
}

/** Slack gives every block and every interactive element that came without an id one of its own. */
export function withIds(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.map((block) => {
    const filled = withActionIds(block)
    const children = block.child_blocks
    if (children !== undefined) filled.child_blocks = withIds(objectsIn(children))
    return { ...filled, block_id: block.block_id || newId("", 5) }
  })
}

function withActionIds(value: JsonObject): JsonObject {
  const filled: JsonObject = {}
  for (const [key, member] of Object.entries(value)) filled[key] = fill(member)
  if (isInteractive(value)) filled.action_id = value.action_id || newId("", 5)
  return filled
}

function fill(value: Json): Json {
  if (Array.isArray(value)) return value.map(fill)
  return isObject(value) ? withActionIds(value) : value
}
