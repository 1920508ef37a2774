import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import type { Channel, User } from "../workspace/model.ts"

/** Deprecated token that Slack still sends; the same in every payload, so it proves nothing. */
export const VERIFICATION_TOKEN = "local-verification-token"

export function interactionParts(core: Core, user: User): JsonObject {
  const { team, bot } = core.workspace
  return {
    token: VERIFICATION_TOKEN,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: bot.appId,
  }
}

export function channelPart(channel: Channel): JsonObject {
  return { id: channel.id, name: payloadChannelName(channel) }
}

/** Returns the name in payloads, which hide the names of private conversations. */
export function payloadChannelName(channel: Channel): string {
  if (channel.kind === "im") return "directmessage"
  return channel.kind === "private" ? "privategroup" : channel.name
}
