import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { slackNames } from "../web-api/channels.ts"
import { pushedFileObject } from "../workspace/files.ts"
import { messageObject } from "../workspace/messages.ts"
import type { Channel, Message } from "../workspace/model.ts"
import { botIsIn } from "../workspace/workspace.ts"
import { type Acknowledgement, sendEvent } from "./delivery.ts"

/** Sends the events of a new message: none, one, or both a message and an app_mention. */
export function announceMessage(core: Core, message: Message): Promise<Acknowledgement[]> {
  const channel = core.workspace.channels.get(message.channel)
  if (channel === undefined || !botIsIn(core.workspace, channel)) return Promise.resolve([])
  const events: JsonObject[] = []
  if (mentionsBot(core, message, channel)) events.push(mentionEvent(core, message))
  if (mayHear(core, channel) && !(events.length > 0 && comesAsMention(core, channel))) {
    events.push({ ...plainEvent(core, message), channel_type: slackNames[channel.kind].type })
  }
  return Promise.all(events.map((event) => sendEvent(core, event)))
}

/**
 * Sends the events of an edited message: one of the channel's messages, if the app receives these,
 * and for a person's mention the app_mention again, with the same `ts` and with `edited`.
 */
export async function announceEdit(
  core: Core,
  message: Message,
  previous: Message,
): Promise<Acknowledgement[]> {
  const channel = core.workspace.channels.get(message.channel)
  if (channel === undefined || !botIsIn(core.workspace, channel)) return []
  const ts = message.edited?.ts ?? message.ts
  const events: JsonObject[] = []
  const isByPerson = message.edited !== undefined && message.botId === undefined
  if (isByPerson && mentionsBot(core, message, channel))
    events.push({ ...mentionEvent(core, message), event_ts: ts })
  if (mayHear(core, channel)) {
    events.push({
      type: "message",
      subtype: "message_changed",
      hidden: true,
      channel: channel.id,
      channel_type: slackNames[channel.kind].type,
      message: messageObject(core.workspace, message),
      previous_message: messageObject(core.workspace, previous),
      ts,
      event_ts: ts,
    })
  }
  return Promise.all(events.map((event) => sendEvent(core, event)))
}

/** Returns whether a message causes an app_mention; none does in direct messages with the bot. */
function mentionsBot(core: Core, message: Message, channel: Channel): boolean {
  const { bot } = core.workspace
  if (channel.kind === "im" || message.botId === bot.botId) return false
  if (!core.settings.events.has("app_mention")) return false
  if (!core.settings.scopes.has("app_mentions:read")) return false
  if (channel.kind === "mpim" && core.settings.groupMentions === "message") return false
  return message.text.includes(`<@${bot.userId}>`)
}

/** Returns whether Slack sends only the app_mention, as it can in a group direct message. */
function comesAsMention(core: Core, channel: Channel): boolean {
  return channel.kind === "mpim" && core.settings.groupMentions === "app_mention"
}

function mayHear(core: Core, channel: Channel): boolean {
  const { events, scopes } = core.settings
  const { plural } = slackNames[channel.kind]
  return events.has(`message.${plural}`) && scopes.has(`${plural}:history`)
}

function mentionEvent(core: Core, message: Message): JsonObject {
  const { subtype: _subtype, ...event } = plainEvent(core, message)
  return { ...event, type: "app_mention" }
}

function plainEvent({ workspace }: Core, message: Message): JsonObject {
  const { channel, ts } = message
  return { ...messageObject(workspace, message, pushedFileObject), channel, event_ts: ts }
}
