import { compact, isObject, type JsonObject, objectsIn, stringIn } from "../json.ts"
import { isInteractive } from "../workspace/block-ids.ts"

/** An interactive element where a person can see it. */
export interface PlacedElement {
  readonly blockId: string
  readonly actionId: string
  readonly element: JsonObject
  /** The input block around it, if there is one. */
  readonly input: JsonObject | undefined
}

/** Every interactive element that is rendered, in reading order. */
export function elementsOf(blocks: readonly JsonObject[]): PlacedElement[] {
  return blocks.flatMap((block) => {
    const children = elementsOf([...objectsIn(block.child_blocks), ...cardsOf(block)])
    const own = [
      ...objectsIn(block.elements),
      ...objectsIn(block.actions),
      ...(isObject(block.accessory) ? [block.accessory] : []),
      ...(isObject(block.element) ? [block.element] : []),
    ]
    const input = block.type === "input" ? block : undefined
    const blockId = stringIn(block, "block_id") ?? ""
    const placed = own
      .filter(isInteractive)
      .flatMap(separateButtons)
      .map((element) => {
        const actionId = stringIn(element, "action_id") ?? ""
        return { blockId, actionId, element, input }
      })
    return [...placed, ...children]
  })
}

/** What a person reads on a button or similar; empty where there is nothing to read. */
export function labelOf(element: JsonObject): string {
  return isObject(element.text) ? (stringIn(element.text, "text") ?? "") : ""
}

/** Feedback buttons are one element to the bot and two to a person. */
function separateButtons(element: JsonObject): JsonObject[] {
  const { type, action_id } = element
  if (type !== "feedback_buttons") return [element]
  return [element.positive_button, element.negative_button].filter(isObject).map((button) => {
    return compact({ ...button, type, action_id })
  })
}

function cardsOf(block: JsonObject): JsonObject[] {
  return block.type === "carousel" ? objectsIn(block.elements) : []
}
