import { compact, type Json, type JsonObject, typeOf } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import type { Acknowledgement } from "../delivery/delivery.ts"
import { dispatch } from "../delivery/events.ts"
import { blockActionsPayload } from "../interaction/block-actions.ts"
import type { PlacedElement } from "../interaction/elements.ts"
import { fillIn } from "../interaction/surface-state.ts"
import type { User } from "../workspace/model.ts"
import { type Found, findElement, findTarget, type Target, type Which } from "./target.ts"

/** Clicks a button, and accepts its confirmation dialog if it has one. */
export async function click(
  core: Core,
  user: User,
  target: Target,
  wanted: string,
  which: Which,
): Promise<Acknowledgement> {
  const found = findTarget(core, user, target)
  const placed = findElement(found, wanted, which)
  const type = typeOf(placed.element)
  if (type !== "button") throw new Error(`"${wanted}" is a ${type}: use select`)
  const { text, url, style } = placed.element
  const held = { text, url, style, value: placed.element.value }
  return await act(core, user, found, placed, held)
}

export async function select(
  core: Core,
  user: User,
  target: Target,
  wanted: string,
  option: string,
  which: Which,
): Promise<Acknowledgement> {
  const found = findTarget(core, user, target)
  const placed = findElement(found, wanted, which)
  if (placed.input !== undefined) {
    throw new Error(`"${wanted}" isn't sent until the modal is submitted: use submitModal`)
  }
  const state = fillIn(core.workspace, found.surface, placed, option)
  const { placeholder } = placed.element
  return await act(core, user, found, placed, { placeholder, ...state })
}

async function act(
  core: Core,
  user: User,
  found: Found,
  placed: PlacedElement,
  held: { [key: string]: Json | undefined },
): Promise<Acknowledgement> {
  const action: JsonObject = {
    ...compact(held),
    type: typeOf(placed.element),
    action_id: placed.actionId,
    block_id: placed.blockId,
    action_ts: core.workspace.nextTs(),
  }
  const payload = blockActionsPayload(core, user, found, action)
  return await dispatch(core, { kind: "interactive", payload })
}
