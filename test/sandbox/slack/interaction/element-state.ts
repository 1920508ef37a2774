import { type Json, type JsonObject, typeOf } from "../../kit/json.ts"
import { chooseOption } from "./options.ts"

interface Stateful {
  readonly key: string
  /** The member of the element that holds the value to begin with. */
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

/**
 * What the element holds before anybody touches it; undefined if it holds nothing, like a button.
 */
export function initialState(element: JsonObject): JsonObject | undefined {
  const rule = stateful.get(typeOf(element))
  if (rule === undefined) return undefined
  return stateWith(element, rule, element[rule.initial] ?? null)
}

/**
 * What the element holds once a person filled it in.
 * @throws Error, if it offers no such option or takes no value.
 */
export function filledState(element: JsonObject, filling: string): JsonObject {
  const rule = stateful.get(typeOf(element))
  if (rule === undefined) throw new Error(`A ${typeOf(element)} cannot be filled in`)
  const value = rule.chosen ? chooseOption(element, filling) : filling
  return stateWith(element, rule, value === "" ? null : value)
}

/** Whether the state holds anything, as a required input must. */
export function isFilled(state: JsonObject): boolean {
  const { type: _type, ...held } = state
  return Object.values(held).some((value) => value !== null && value !== "")
}

function stateWith(element: JsonObject, rule: Stateful, value: Json): JsonObject {
  return { type: typeOf(element), [rule.key]: value }
}
