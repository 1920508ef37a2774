import { isObject, type JsonObject, stringIn } from "../slack/json.ts"
import type { Channel, Message, SlackFile, User, View } from "../slack/workspace/model.ts"
import type { WireChannel, WireFile, WireMessage, WireUser, WireView } from "./wire.ts"

export function wireUser({ id, name, realName, role, tz }: User): WireUser {
  return { id, name, realName, role, tz }
}

export function wireChannel(channel: Channel): WireChannel {
  const { id, name, kind, topic, archived } = channel
  const shared = channel.sharedWith.length > 0
  return { id, name, kind, topic, archived, shared, members: [...channel.members] }
}

export function wireFile({ id, name, title, content }: SlackFile): WireFile {
  const url = `/api/files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
  return { id, name, title, size: content.length, url }
}

export function wireMessage(message: Message): WireMessage {
  const job = jobOf(message.metadata)
  const { channel, ts, user, text, blocks, threadTs, visibleTo, revision } = message
  return {
    channel,
    ts,
    user,
    text,
    blocks,
    revision,
    isBot: message.botId !== undefined,
    isDeleted: message.subtype === "tombstone",
    files: message.files.map(wireFile),
    edited: message.edited !== undefined,
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(visibleTo === undefined ? {} : { visibleTo }),
    ...(job === undefined ? {} : { job }),
  }
}

export function wireView({ id, type, hash, payload }: View): WireView {
  return { id, type, hash, payload }
}

/** The bot labels its messages with the request they belong to. */
function jobOf(metadata: JsonObject | undefined): string | undefined {
  const payload = metadata?.event_payload
  return isObject(payload) ? stringIn(payload, "job") : undefined
}
