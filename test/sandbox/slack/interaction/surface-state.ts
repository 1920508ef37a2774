import { compact, type JsonObject, objectsIn } from "../../kit/json.ts"
import type { View } from "../workspace/model.ts"
import type { Workspace } from "../workspace/workspace.ts"
import { elementsOf, filledState, initialState, type PlacedElement } from "./elements.ts"

/** Place that holds a person's input: a view, or that person's copy of a message. */
export interface Surface {
  readonly key: string
  readonly blocks: readonly JsonObject[]
}

export function messageKey(user: string, channel: string, ts: string): string {
  return `${user}:${channel}:${ts}`
}

/** Stores a person's input and returns the element's new state. */
export function fillIn(
  workspace: Workspace,
  surface: Surface,
  placed: PlacedElement,
  filling: string,
): JsonObject {
  const state = filledState(placed.element, filling)
  const inputs = workspace.inputs.get(surface.key) ?? new Map<string, JsonObject>()
  workspace.inputs.set(surface.key, inputs.set(inputKey(placed), state))
  return state
}

/** Returns an element's current state; undefined for a button. */
export function stateOf(
  workspace: Workspace,
  surface: Surface,
  placed: PlacedElement,
): JsonObject | undefined {
  const initial = initialState(placed.element)
  if (initial === undefined) return undefined
  return workspace.inputs.get(surface.key)?.get(inputKey(placed)) ?? initial
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
