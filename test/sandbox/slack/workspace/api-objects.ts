import { compact, type JsonObject } from "../../kit/json.ts"
import { fileObject } from "./files.ts"
import { repliesTo } from "./messages.ts"
import type { Message, User } from "./model.ts"
import type { Workspace } from "./workspace.ts"

/** Returns a message as the Web API and event payloads show it. */
export function messageObject(workspace: Workspace, message: Message): JsonObject {
  const replies = message.threadTs === undefined ? repliesOf(workspace, message) : []
  const isRoot = replies.length > 0
  const root = message.threadTs
  return compact({
    type: "message",
    subtype: message.subtype,
    // Messages of classic apps have a name instead of a user.
    user: message.user || undefined,
    username: message.app?.name,
    text: message.text,
    ts: message.ts,
    team: workspace.users.get(message.user)?.teamId ?? workspace.team.id,
    bot_id: message.botId,
    app_id: message.botId === undefined ? undefined : (message.app?.appId ?? workspace.bot.appId),
    blocks: message.blocks.length > 0 ? [...message.blocks] : undefined,
    attachments: message.attachments.length > 0 ? [...message.attachments] : undefined,
    files:
      message.files.length > 0
        ? message.files.map((file) => fileObject(workspace, file))
        : undefined,
    upload: message.files.length > 0 ? false : undefined,
    edited: message.edited === undefined ? undefined : { ...message.edited },
    thread_ts: root ?? (isRoot ? message.ts : undefined),
    parent_user_id: root === undefined ? undefined : parentUser(workspace, message.channel, root),
    ...(isRoot ? threadSummary(replies) : {}),
  })
}

export function userObject(user: User, now: number): JsonObject {
  const guest = user.role === "guest"
  return {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    deleted: false,
    real_name: user.realName,
    tz: user.tz,
    tz_label: user.tz,
    tz_offset: zoneOffset(user.tz, now),
    profile: {
      real_name: user.realName,
      display_name: user.displayName,
      real_name_normalized: user.realName,
      display_name_normalized: user.displayName,
      team: user.teamId,
    },
    is_admin: user.role === "admin",
    is_owner: false,
    is_primary_owner: false,
    is_restricted: guest,
    is_ultra_restricted: false,
    is_bot: user.role === "bot",
    is_app_user: false,
    is_stranger: user.role === "external",
    updated: Math.floor(now / 1000),
  }
}

/** Returns the offset in seconds east of UTC at `now`, with daylight saving time. */
function zoneOffset(tz: string, now: number): number {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: tz, timeZoneName: "longOffset" })
  const name = parts.formatToParts(now).find((part) => part.type === "timeZoneName")?.value ?? ""
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name)
  if (match === null) return 0
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60
  return match[1] === "-" ? -seconds : seconds
}

function repliesOf(workspace: Workspace, message: Message): Message[] {
  return message.visibleTo === undefined ? repliesTo(workspace, message.channel, message.ts) : []
}

function parentUser(workspace: Workspace, channel: string, ts: string): string | undefined {
  return workspace.messages.get(channel)?.get(ts)?.user
}

function threadSummary(replies: readonly Message[]) {
  const users = [...new Set(replies.map((reply) => reply.user))]
  return {
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users.slice(0, 5),
    latest_reply: replies.at(-1)?.ts,
    is_locked: false,
    subscribed: false,
  }
}
