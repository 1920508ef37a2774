import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import {
  type Acknowledgement,
  channelPart,
  dispatch,
  interactionParts,
} from "../delivery/delivery.ts"
import { messageObject } from "../workspace/api-objects.ts"
import type { User } from "../workspace/model.ts"
import { channelOf } from "../workspace/workspace.ts"
import { responseUrl } from "./act.ts"
import { findMessage, type MessageRef } from "./target.ts"

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
