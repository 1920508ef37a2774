import { isObject, type Json, type JsonObject, typeOf } from "../../kit/json.ts"
import { newId } from "./ids.ts"

const interactive = new Set(["button", "plain_text_input"])

export function isInteractive(element: JsonObject): boolean {
  const type = typeOf(element)
  return interactive.has(type) || type.endsWith("_select")
}

/** Adds ids to blocks and interactive elements that have none, as Slack does. */
export function withIds(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.map((block) => {
    return { ...withActionIds(block), block_id: block.block_id || newId("", 5) }
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
