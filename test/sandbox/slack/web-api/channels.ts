import type { Core } from "../core.ts"
import type { Channel, ChannelKind } from "../workspace/model.ts"
import { botIsIn, openDirectMessage } from "../workspace/workspace.ts"
import { ApiError } from "./api-error.ts"

/**
 * The channel with this id, as far as the bot can tell: a private one it is not in does not exist.
 * @throws ApiError `channel_not_found`.
 */
export function visibleChannel(core: Core, id: string): Channel {
  const channel = core.workspace.channels.get(id)
  if (channel === undefined) throw new ApiError("channel_not_found")
  if (channel.kind !== "public" && !botIsIn(core.workspace, channel)) {
    throw new ApiError("channel_not_found")
  }
  return channel
}

/**
 * A channel the bot may post messages in: `chat:write.public` opens "channels your Slack app isn't a
 * member of", public ones and for messages only.
 * @throws ApiError `channel_not_found`, `is_archived` or `not_in_channel`.
 */
export function postableChannel(core: Core, id: string): Channel {
  const channel = core.workspace.channels.get(id)
  const isOpen = channel?.kind === "public" && core.settings.scopes.has("chat:write.public")
  return isOpen && !channel.archived ? channel : writableChannel(core, id)
}

/**
 * A channel the bot is in; a person's id stands for the direct message with them.
 * @throws ApiError `channel_not_found`, `is_archived` or `not_in_channel`.
 */
export function writableChannel(core: Core, id: string): Channel {
  const isPerson = core.workspace.users.has(id) && id !== core.workspace.bot.userId
  const channel = isPerson ? openDirectMessage(core.workspace, id) : visibleChannel(core, id)
  if (channel.archived) throw new ApiError("is_archived")
  if (!botIsIn(core.workspace, channel)) throw new ApiError("not_in_channel")
  return channel
}

const historyScopes: Record<ChannelKind, string> = {
  public: "channels:history",
  private: "groups:history",
  im: "im:history",
  mpim: "mpim:history",
}

/** @throws ApiError, if the bot may not read the messages of this channel. */
export function readableChannel(core: Core, id: string): Channel {
  const channel = visibleChannel(core, id)
  requireScope(core, historyScopes[channel.kind])
  if (!botIsIn(core.workspace, channel)) throw new ApiError("not_in_channel")
  return channel
}

/** @throws ApiError `missing_scope`, saying what was needed and what is granted. */
export function requireScope(core: Core, needed: string): void {
  if (core.settings.scopes.has(needed)) return
  throw new ApiError("missing_scope", { needed, provided: [...core.settings.scopes].join(",") })
}
