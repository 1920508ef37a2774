import { compact, type JsonObject } from "../../kit/json.ts"
import { SLACKBOT } from "../seed/ids.ts"
import { fileObject } from "./files.ts"
import { repliesTo } from "./messages.ts"
import type { Message, OtherApp, User } from "./model.ts"
import type { Workspace } from "./workspace.ts"

/** Returns a message as the Web API and event payloads show it. */
export function messageObject(
  workspace: Workspace,
  message: Message,
  fileOf = fileObject,
): JsonObject {
  const root = message.threadTs
  const mayBeRoot = root === undefined && message.visibleTo === undefined
  const replies = mayBeRoot ? repliesTo(workspace, message.channel, message.ts).length : 0
  return compact({
    type: "message",
    subtype: message.subtype,
    // Messages of classic apps have no user.
    user: message.user || undefined,
    username: message.app?.username,
    bot_profile: message.app && profileOf(message.app),
    text: message.text,
    ts: message.ts,
    team: workspace.users.get(message.user)?.teamId ?? workspace.team.id,
    bot_id: message.botId,
    app_id: message.botId === undefined ? undefined : (message.app?.appId ?? workspace.bot.appId),
    blocks: message.blocks.length > 0 ? [...message.blocks] : undefined,
    attachments: message.attachments.length > 0 ? [...message.attachments] : undefined,
    files:
      message.files.length > 0 ? message.files.map((file) => fileOf(workspace, file)) : undefined,
    edited: message.edited === undefined ? undefined : { ...message.edited },
    thread_ts: root ?? (replies > 0 ? message.ts : undefined),
    reply_count: replies > 0 ? replies : undefined,
  })
}

function profileOf({ botId: id, appId: app_id, name, teamId: team_id }: OtherApp): JsonObject {
  return { id, app_id, name, deleted: false, ...(team_id === "" ? {} : { team_id }) }
}

export function userObject(user: User): JsonObject {
  return {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    deleted: false,
    real_name: user.realName,
    tz: user.tz,
    profile: { real_name: user.realName, display_name: user.displayName },
    is_restricted: user.role === "guest",
    is_ultra_restricted: false,
    // Slack counts its own bot as a person: "USLACKBOT" has `is_bot: false` and no time zone.
    is_bot: user.role === "bot" && user.id !== SLACKBOT,
    // Slack says this only of people in no channel that the app is in.
    is_stranger: false,
  }
}
