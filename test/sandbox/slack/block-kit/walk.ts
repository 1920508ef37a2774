import { isObject, type Json, type JsonObject } from "../../kit/json.ts"

/** Visits every object in a payload, the outermost first, with its JSON pointer. */
export function walk(
  value: Json,
  visit: (object: JsonObject, pointer: string) => void,
  pointer = "",
): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      walk(item, visit, `${pointer}/${index}`)
    })
    return
  }
  if (!isObject(value)) return
  visit(value, pointer)
  for (const [key, member] of Object.entries(value)) walk(member, visit, `${pointer}/${key}`)
}

/** Lists the actions of a message's buttons and menus, in their order. */
export function buttonsOf(message: { blocks: unknown }): string[] {
  const found = JSON.stringify(message.blocks).matchAll(/"action_id":"(\w+)"/g)
  return [...found].map((match) => match[1] ?? "")
}
