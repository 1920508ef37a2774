import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  stringIn,
  typeOf,
} from "../../kit/json.ts"
import { isInteractive } from "../workspace/ids.ts"

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

/** Returns the visible text of an element or option; empty if there is none. */
export function labelOf(element: JsonObject): string {
  return isObject(element.text) ? (stringIn(element.text, "text") ?? "") : ""
}

interface Stateful {
  readonly key: string
  /** Property of the element that contains the initial value. */
  readonly initial: string
  readonly chosen: boolean
}

const stateful = new Map<string, Stateful>(
  Object.entries({
    plain_text_input: { key: "value", initial: "initial_value", chosen: false },
    static_select: { key: "selected_option", initial: "initial_option", chosen: true },
    conversations_select: {
      key: "selected_conversation",
      initial: "initial_conversation",
      chosen: false,
    },
  }),
)

/** Returns the element's state before any input; undefined if it can't have one, like a button. */
export function initialState(element: JsonObject): JsonObject | undefined {
  const rule = stateful.get(typeOf(element))
  if (rule === undefined) return undefined
  return stateWith(element, rule, element[rule.initial] ?? null)
}

/**
 * Returns the state after input.
 * @throws Error if the option is unknown or no input is possible.
 */
export function filledState(element: JsonObject, filling: string): JsonObject {
  const rule = stateful.get(typeOf(element))
  if (rule === undefined) throw new Error(`A ${typeOf(element)} can't be filled in`)
  const value = rule.chosen ? chooseOption(element, filling) : filling
  return stateWith(element, rule, value === "" ? null : value)
}

/** Returns whether the state has a value, as that of a required input must. */
export function isFilled(state: JsonObject): boolean {
  const { type: _type, ...held } = state
  return Object.values(held).some((value) => value !== null && value !== "")
}

function stateWith(element: JsonObject, rule: Stateful, value: Json): JsonObject {
  return { type: typeOf(element), [rule.key]: value }
}

/**
 * Returns the option with this value or, failing that, this text.
 * @throws Error with all options.
 */
function chooseOption(element: JsonObject, wanted: string): JsonObject {
  const options = objectsIn(element.options)
  const found =
    options.find((option) => option.value === wanted) ??
    options.find((option) => labelOf(option) === wanted)
  if (found !== undefined) return found
  const known = options
    .map((option) => `"${labelOf(option)}" (${stringIn(option, "value") ?? ""})`)
    .join(", ")
  throw new Error(`There is no option "${wanted}". Choose from ${known || "none"}`)
}
