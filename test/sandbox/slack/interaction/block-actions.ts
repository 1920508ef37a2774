import { compact, type JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { channelPart, interactionParts } from "../delivery/payload-parts.ts"
import type { Found } from "../person/target.ts"
import { messageObject } from "../workspace/api-objects.ts"
import type { Message, User } from "../workspace/model.ts"
import { channelOf } from "../workspace/workspace.ts"
import { stateValues, viewObject } from "./surface-state.ts"

/** Returns the payload of a click or a choice, as Slack fills it in. */
export function blockActionsPayload(
  core: Core,
  user: User,
  found: Found,
  action: JsonObject,
): JsonObject {
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
export function responseUrl(core: Core, user: User, message: Message): string {
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
