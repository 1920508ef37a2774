import { compact, type Json, type JsonObject, typeOf } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import {
  type Acknowledgement,
  channelPart,
  dispatch,
  interactionParts,
} from "../delivery/delivery.ts"
import { messageObject } from "../workspace/messages.ts"
import type { Message, User } from "../workspace/model.ts"
import { channelOf } from "../workspace/workspace.ts"
import { fillIn, type PlacedElement, stateValues, viewObject } from "./inputs.ts"
import {
  type Found,
  findElement,
  findMessage,
  findTarget,
  type MessageRef,
  type Target,
  type Which,
} from "./target.ts"

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

/** Returns the payload of a click or a choice, as Slack fills it in. */
function blockActionsPayload(core: Core, user: User, found: Found, action: JsonObject): JsonObject {
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
    response_url: responseUrl(core, user, message),
  })
}

/** Returns a response URL that can replace, delete or answer `message`. */
function responseUrl(core: Core, user: User, message: Message): string {
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
export async function pickMessageShortcut(
  core: Core,
  user: User,
  target: MessageRef,
  callbackId: string,
): Promise<Acknowledgement> {
  const message = findMessage(core, user, target)
  if (message.visibleTo !== undefined) throw new Error("An ephemeral message has no shortcuts")
  const payload = {
    ...shortcutParts(core, user, "message_action", callbackId),
    channel: channelPart(channelOf(core.workspace, message.channel)),
    message_ts: message.ts,
    message: messageObject(core.workspace, message),
    response_url: responseUrl(core, user, message),
  }
  return await dispatch(core, { kind: "interactive", payload })
}

/** Picks a shortcut from the composer's menu; its payload has no channel and no response URL. */
export async function pickGlobalShortcut(
  core: Core,
  user: User,
  callbackId: string,
): Promise<Acknowledgement> {
  const payload = shortcutParts(core, user, "shortcut", callbackId)
  return await dispatch(core, { kind: "interactive", payload })
}

function shortcutParts(core: Core, user: User, type: string, callback_id: string): JsonObject {
  return {
    type,
    ...interactionParts(core, user),
    action_ts: core.workspace.nextTs(),
    callback_id,
    trigger_id: core.triggers.create(user.id),
  }
}
