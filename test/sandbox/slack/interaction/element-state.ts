import { type Json, type JsonObject, typeOf } from "../../kit/json.ts"
import { chooseOption } from "./options.ts"

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
