import { compact, isObject, type JsonObject, objectsIn, stringIn, typeOf } from "../../kit/json.ts"
import { isInteractive } from "../workspace/ids.ts"
import type { View } from "../workspace/model.ts"
import type { Workspace } from "../workspace/workspace.ts"

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

/** Property of the value: in an element's state and, before any input, in the element itself. */
const stateful = new Map(
  Object.entries({
    plain_text_input: ["value", "initial_value"],
    static_select: ["selected_option", "initial_option"],
    conversations_select: ["selected_conversation", "initial_conversation"],
  } as const),
)

/** Returns whether the state has a value, as that of a required input must. */
export function isFilled(state: JsonObject): boolean {
  const { type: _type, ...held } = state
  return Object.values(held).some((value) => value !== null && value !== "")
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

/** Place that holds a person's input: a view, or that person's copy of a message. */
export interface Surface {
  readonly key: string
  readonly blocks: readonly JsonObject[]
}

export function messageKey(user: string, channel: string, ts: string): string {
  return `${user}:${channel}:${ts}`
}

/**
 * Stores a person's input and returns the element's new state.
 * @throws Error if the option is unknown or no input is possible.
 */
export function fillIn(
  workspace: Workspace,
  surface: Surface,
  placed: PlacedElement,
  filling: string,
): JsonObject {
  const type = typeOf(placed.element)
  const [key] = stateful.get(type) ?? []
  if (key === undefined) throw new Error(`A ${type} can't be filled in`)
  const value = type === "static_select" ? chooseOption(placed.element, filling) : filling
  const state = { type, [key]: value === "" ? null : value }
  const inputs = workspace.inputs.get(surface.key) ?? new Map<string, JsonObject>()
  workspace.inputs.set(surface.key, inputs.set(inputKey(placed), state))
  return state
}

/** Returns an element's current state; undefined if it can't have one, like a button. */
export function stateOf(
  workspace: Workspace,
  surface: Surface,
  placed: PlacedElement,
): JsonObject | undefined {
  const type = typeOf(placed.element)
  const property = stateful.get(type)
  if (property === undefined) return undefined
  const [key, initial] = property
  const typed = workspace.inputs.get(surface.key)?.get(inputKey(placed))
  return typed ?? { type, [key]: placed.element[initial] ?? null }
}

/** Returns `state.values` of a payload: every element with a value, by block and action. */
export function stateValues(workspace: Workspace, surface: Surface): JsonObject {
  const values: { [blockId: string]: JsonObject } = {}
  for (const placed of elementsOf(surface.blocks)) {
    const state = stateOf(workspace, surface, placed)
    if (state === undefined) continue
    values[placed.blockId] = { ...values[placed.blockId], [placed.actionId]: state }
  }
  return values
}

function inputKey(placed: PlacedElement): string {
  return `${placed.blockId}/${placed.actionId}`
}

/** Returns a view as the Web API and interaction payloads show it. */
export function viewObject(workspace: Workspace, view: View): JsonObject {
  const { payload } = view
  return compact({
    id: view.id,
    team_id: workspace.team.id,
    app_id: workspace.bot.appId,
    type: view.type,
    title: payload.title,
    submit: payload.submit ?? null,
    close: payload.close ?? null,
    blocks: payload.blocks ?? [],
    private_metadata: payload.private_metadata ?? "",
    callback_id: payload.callback_id ?? "",
    state: { values: stateValues(workspace, viewSurface(view)) },
    hash: view.hash,
  })
}

export function viewSurface(view: View) {
  return { key: view.id, blocks: objectsIn(view.payload.blocks) }
}
