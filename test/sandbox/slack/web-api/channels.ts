import type { Core } from "../core.ts"
import type { Channel, ChannelKind } from "../workspace/model.ts"
import { botIsIn, openDirectMessage } from "../workspace/workspace.ts"
import { ApiError } from "./method.ts"

/**
 * Returns the channel with this id; to the bot, a private one it isn't in doesn't exist.
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
 * Returns a channel the bot may post in: `chat:write.public` opens "channels your Slack app isn't a
 * member of", public ones and for messages only.
 * @throws ApiError `channel_not_found`, `is_archived` or `not_in_channel`.
 */
export function postableChannel(core: Core, id: string): Channel {
  const channel = core.workspace.channels.get(id)
  const isOpen = channel?.kind === "public" && core.settings.scopes.has("chat:write.public")
  return isOpen && !channel.archived ? channel : writableChannel(core, id)
}

/**
 * Returns a channel the bot is in; a person's id stands for their direct message.
 * @throws ApiError `channel_not_found`, `is_archived` or `not_in_channel`.
 */
export function writableChannel(core: Core, id: string): Channel {
  const isPerson = core.workspace.users.has(id) && id !== core.workspace.bot.userId
  const channel = isPerson ? openDirectMessage(core.workspace, id) : visibleChannel(core, id)
  if (channel.archived) throw new ApiError("is_archived")
  if (!botIsIn(core.workspace, channel)) throw new ApiError("not_in_channel")
  return channel
}

/** Slack's names for a kind of channel: in scopes and message events, and as `channel_type`. */
export const slackNames: Readonly<Record<ChannelKind, { plural: string; type: string }>> = {
  public: { plural: "channels", type: "channel" },
  private: { plural: "groups", type: "group" },
  im: { plural: "im", type: "im" },
  mpim: { plural: "mpim", type: "mpim" },
}

/** Returns a channel. @throws ApiError if the bot may not read its messages. */
export function readableChannel(core: Core, id: string): Channel {
  const channel = visibleChannel(core, id)
  requireScope(core, `${slackNames[channel.kind].plural}:history`)
  if (!botIsIn(core.workspace, channel)) throw new ApiError("not_in_channel")
  return channel
}

/** Checks a scope. @throws ApiError `missing_scope`, with the needed and the granted ones. */
export function requireScope(core: Core, needed: string): void {
  if (core.settings.scopes.has(needed)) return
  throw missingScope(core, needed)
}

export function missingScope({ settings }: Core, needed: string): ApiError {
  return new ApiError("missing_scope", { needed, provided: [...settings.scopes].join(",") })
}
