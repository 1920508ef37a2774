import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
import { isInteractive } from "../workspace/block-ids.ts"

export interface PlacedElement {
  readonly blockId: string
  readonly actionId: string
  readonly element: JsonObject
  readonly input: JsonObject | undefined
}

/** Every interactive element that is rendered, in reading order. */
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

/** What a person reads on a button or similar; empty where there is nothing to read. */
export function labelOf(element: JsonObject): string {
  return isObject(element.text) ? (stringIn(element.text, "text") ?? "") : ""
}
