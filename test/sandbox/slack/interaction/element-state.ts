import { type Json, type JsonObject, typeOf } from "../../kit/json.ts"
import { chooseOption } from "./options.ts"

/** What a person fills in: one text, option or id, or several of them. */
export type Filling = string | number | readonly string[]

interface Stateful {
  readonly key: string
  /** The member of the element that holds the value to begin with. */
  readonly initial: string
  readonly many: boolean
  readonly chosen: boolean
}

function single(key: string, initial: string, chosen = false): Stateful {
  return { key, initial, many: false, chosen }
}
function _several(key: string, initial: string, chosen = false): Stateful {
  return { key, initial, many: true, chosen }
}

const stateful = new Map<string, Stateful>(
  Object.entries({
    plain_text_input: single("value", "initial_value"),
    static_select: single("selected_option", "initial_option", true),
    conversations_select: single("selected_conversation", "initial_conversation"),
  }),
)

/**
 * What the element holds before anybody touches it; undefined if it holds nothing, like a button.
 */
export function initialState(element: JsonObject): JsonObject | undefined {
  const rule = stateful.get(typeOf(element))
  if (rule === undefined) return undefined
  return stateWith(element, rule, element[rule.initial] ?? (rule.many ? [] : null))
}

/**
 * What the element holds once a person filled it in.
 * @throws Error, if it offers no such option or takes no value.
 */
export function filledState(element: JsonObject, filling: Filling): JsonObject {
  const rule = stateful.get(typeOf(element))
  if (rule === undefined) throw new Error(`A ${typeOf(element)} cannot be filled in`)
  const values = typeof filling === "object" ? [...filling] : [filling]
  const chosen = values.map((value): Json => {
    return rule.chosen ? chooseOption(element, String(value)) : value
  })
  return stateWith(element, rule, rule.many ? chosen : emptyAsNull(chosen[0]))
}

/** Whether the state holds anything, as a required input must. */
export function isFilled(state: JsonObject): boolean {
  const { type: _type, ...held } = state
  return Object.values(held).some((value) => {
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== ""
  })
}

function stateWith(element: JsonObject, rule: Stateful, value: Json): JsonObject {
  return { type: typeOf(element), [rule.key]: value }
}

function emptyAsNull(value: Json | undefined): Json {
  return value === undefined || value === "" ? null : value
}
