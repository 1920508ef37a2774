import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
import { isInteractive } from "../workspace/block-ids.ts"

export interface PlacedElement {
  readonly blockId: string
  readonly actionId: string
  readonly element: JsonObject
  readonly input: JsonObject | undefined
}

/** Returns every rendered interactive element, in reading order. */
export function elementsOf(blocks: readonly JsonObject[]): PlacedElement[] {
  return blocks.flatMap((block) => {
    const own = [
      ...objectsIn(block.elements),
      ...(isObject(block.accessory) ? [block.accessory] : []),
      ...(isObject(block.element) ? [block.element] : []),
    ]
    const input = block.type === "input" ? block : undefined
    const blockId = stringIn(block, "block_id") ?? ""
    return own.filter(isInteractive).map((element) => {
      const actionId = stringIn(element, "action_id") ?? ""
      return { blockId, actionId, element, input }
    })
  })
}

/** Returns an element's visible text; empty if there is none. */
export function labelOf(element: JsonObject): string {
  return isObject(element.text) ? (stringIn(element.text, "text") ?? "") : ""
}
