import { compact, type Json, type JsonObject, typeOf } from "../../kit/json.ts"
import { channelPart, dispatch, interactionParts } from "../delivery/delivery.ts"
import { messageObject } from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { channelOf } from "../workspace/workspace.ts"
import { fillIn, type PlacedElement, stateValues, viewObject } from "./inputs.ts"
import {
  type Actor,
  type Found,
  findElement,
  findMessage,
  findTarget,
  type MessageRef,
  type Target,
  type Which,
} from "./target.ts"

/** Clicks a button, and accepts its confirmation dialog if it has one. */
export async function click(actor: Actor, target: Target, wanted: string, which: Which = {}) {
  const found = findTarget(actor, target)
  const placed = findElement(found, wanted, which)
  const type = typeOf(placed.element)
  if (type !== "button") throw new Error(`"${wanted}" is a ${type}: use select`)
  const { text, url, style } = placed.element
  const held = { text, url, style, value: placed.element.value }
  return await act(actor, found, placed, held)
}

/** Chooses an option in the element with this action id. */
export async function select(
  actor: Actor,
  target: Target,
  wanted: string,
  option: string,
  which: Which = {},
) {
  const found = findTarget(actor, target)
  const placed = findElement(found, wanted, which)
  if (placed.input !== undefined) {
    throw new Error(`"${wanted}" isn't sent until the modal is submitted: use submitModal`)
  }
  const state = fillIn(actor.core.workspace, found.surface, placed, option)
  const { placeholder } = placed.element
  return await act(actor, found, placed, { placeholder, ...state })
}

async function act(
  actor: Actor,
  found: Found,
  placed: PlacedElement,
  held: { [key: string]: Json | undefined },
) {
  const { core } = actor
  const action: JsonObject = {
    ...compact(held),
    type: typeOf(placed.element),
    action_id: placed.actionId,
    block_id: placed.blockId,
    action_ts: core.workspace.nextTs(),
  }
  const payload = blockActionsPayload(actor, found, action)
  return await dispatch(core, { kind: "interactive", payload })
}

/** Returns the payload of a click or a choice, as Slack fills it in. */
function blockActionsPayload(actor: Actor, found: Found, action: JsonObject): JsonObject {
  const { core, user } = actor
  const common = {
    type: "block_actions",
    ...interactionParts(core, user),
    trigger_id: core.triggers.create(user.id),
    actions: [action],
  }
  if (found.kind === "view") {
    const view = viewObject(core.workspace, found.view)
    return { ...common, container: { type: "view", view_id: found.view.id }, view }
  }
  const { message } = found
  return compact({
    ...common,
    container: containerOf(message),
    channel: channelPart(channelOf(core.workspace, message.channel)),
    // Slack stores no ephemeral messages, so it can't include one.
    message: message.visibleTo === undefined ? messageObject(core.workspace, message) : undefined,
    state: { values: stateValues(core.workspace, found.surface) },
    response_url: responseUrl(actor, message),
  })
}

/** Returns a response URL that can replace, delete or answer `message`. */
function responseUrl({ core, user }: Actor, message: Message): string {
  return core.responseUrls.create({
    channel: message.channel,
    user: user.id,
    message: { ts: message.ts, ephemeral: message.visibleTo !== undefined },
  })
}

function containerOf(message: Message): JsonObject {
  return compact({
    type: "message",
    message_ts: message.ts,
    channel_id: message.channel,
    thread_ts: message.threadTs,
    is_ephemeral: message.visibleTo !== undefined,
  })
}

/** Picks a shortcut from a message's menu. Ephemeral messages have no such menu. */
export async function pickMessageShortcut(actor: Actor, target: MessageRef, callbackId: string) {
  const { core } = actor
  const message = findMessage(actor, target)
  if (message.visibleTo !== undefined) throw new Error("An ephemeral message has no shortcuts")
  const payload = {
    ...shortcutParts(actor, "message_action", callbackId),
    channel: channelPart(channelOf(core.workspace, message.channel)),
    message_ts: message.ts,
    message: messageObject(core.workspace, message),
    response_url: responseUrl(actor, message),
  }
  return await dispatch(core, { kind: "interactive", payload })
}

/** Picks a shortcut from the composer's menu; its payload has no channel and no response URL. */
export async function pickGlobalShortcut(actor: Actor, callbackId: string) {
  const payload = shortcutParts(actor, "shortcut", callbackId)
  return await dispatch(actor.core, { kind: "interactive", payload })
}

function shortcutParts({ core, user }: Actor, type: string, callback_id: string): JsonObject {
  return {
    type,
    ...interactionParts(core, user),
    action_ts: core.workspace.nextTs(),
    callback_id,
    trigger_id: core.triggers.create(user.id),
  }
}
