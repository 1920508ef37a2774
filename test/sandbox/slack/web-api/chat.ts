import { z } from "zod"
import type { JsonObject } from "../../kit/json.ts"
import { countChars } from "../block-kit/fields.ts"
import type { Core } from "../core.ts"
import {
  editMessage,
  messageObject,
  type NewMessage,
  postMessage,
  repliesTo,
  showEphemeral,
} from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { channelOf, isOwnDirectMessage } from "../workspace/workspace.ts"
import { postableChannel, visibleChannel, writableChannel } from "./channels.ts"
import { checkContent, checkMetadata } from "./content.ts"
import { ApiError, checkArguments, id, type Method } from "./method.ts"
import { postsInChannel, postsInWorkspace, tier3, tier4 } from "./rate-limits.ts"

const posted = z.object({ channel: id, thread_ts: z.string().optional() })

export const chatPostMessage: Method = {
  scopes: ["chat:write"],
  limit: postsInWorkspace,
  run(core, args) {
    const { channel: channelId, thread_ts } = checkArguments(posted, args)
    const channel = postableChannel(core, channelId)
    core.rateLimits.spend(`chat.postMessage ${channel.id}`, postsInChannel)
    const content = checkContent(core, args)
    const metadata = checkMetadata(args)
    const threadTs = thread_ts ? rootOf(core, channel.id, thread_ts) : undefined
    core.note({ by: "chat.postMessage", message: args })
    const { userId: user, botId } = core.workspace.bot
    const message = postMessage(core.workspace, {
      channel: channel.id,
      user,
      botId,
      threadTs,
      metadata,
      ...content,
    })
    const { ts } = message
    return {
      channel: channel.id,
      ts,
      message: withMetadata(messageObject(core.workspace, message), metadata),
    }
  },
}

/** Returns the root of the thread that a reply goes to. @throws ApiError `thread_not_found`. */
export function rootOf(core: Core, channel: string, ts: string): string {
  const parent = core.workspace.messages.get(channel)?.get(ts)
  if (parent === undefined) throw new ApiError("thread_not_found")
  if (parent.threadTs === undefined) return ts
  core.violations.push(
    "`thread_ts` is a reply's ts: Slack documents the ts of the thread's root only",
  )
  return parent.threadTs
}

export function withMetadata(message: JsonObject, metadata: JsonObject | undefined): JsonObject {
  return metadata === undefined ? message : { ...message, metadata }
}

/** Maximum characters of an edit; posts may be longer. */
const UPDATE_TEXT_CHARS = 4_000

const updated = z.object({ channel: id, ts: id, text: z.string().optional() })

export const chatUpdate: Method = {
  scopes: ["chat:write"],
  limit: tier3,
  run(core, args) {
    const { channel, ts, text } = checkArguments(updated, args)
    const message = ownMessage(core, channel, ts)
    if (countChars(text ?? "") > UPDATE_TEXT_CHARS) throw new ApiError("msg_too_long")
    const content = checkContent(core, args)
    const metadata = checkMetadata(args)
    core.note({ by: "chat.update", message: args })
    const edited = editMessage(core.workspace, message, {
      text: content.text,
      // An edit with text alone removes the blocks.
      blocks: content.blocks ?? [],
      metadata,
      marked: content.blocks === undefined,
    })
    return { channel, ts, text: edited.text, message: messageObject(core.workspace, edited) }
  },
}

function ownMessage(core: Core, channelId: string, ts: string): Message {
  const channel = visibleChannel(core, channelId)
  const message = core.workspace.messages.get(channel.id)?.get(ts)
  if (message === undefined) throw new ApiError("message_not_found")
  if (message.botId !== core.workspace.bot.botId) throw new ApiError("cant_update_message")
  if (channel.archived) throw new ApiError("is_archived")
  return message
}

const shown = z.object({ channel: id, user: id, thread_ts: z.string().optional() })

export const chatPostEphemeral: Method = {
  scopes: ["chat:write"],
  limit: tier4,
  run(core, args) {
    const { channel: channelId, user: reader, thread_ts } = checkArguments(shown, args)
    const channel = writableChannel(core, channelId)
    if (!core.workspace.users.has(reader)) throw new ApiError("user_not_found")
    if (!channel.members.has(reader)) throw new ApiError("user_not_in_channel")
    const content = checkContent(core, args, true)
    core.note({ by: "chat.postEphemeral", message: args })
    const { userId: user, botId } = core.workspace.bot
    const threadTs = thread_ts ? rootOf(core, channel.id, thread_ts) : undefined
    const draft = { channel: channel.id, user, botId, threadTs, ...content }
    return { message_ts: showPrivately(core, reader, draft)?.ts ?? core.workspace.nextTs() }
  },
}

/**
 * Shows a message to one person, if Slack would: "Ephemeral messages in threads are only shown if
 * there is already an active thread" (chat.postEphemeral). One that nobody sees is a violation.
 */
export function showPrivately(core: Core, reader: string, draft: NewMessage): Message | undefined {
  const { workspace, violations } = core
  const inOwnDirectMessage = isOwnDirectMessage(workspace, channelOf(workspace, draft.channel))
  core.note({
    by: "privately",
    message: { text: draft.text, ...(draft.blocks ? { blocks: [...draft.blocks] } : {}) },
    inOwnDirectMessage,
  })
  const { channel, threadTs } = draft
  if (threadTs === undefined || repliesTo(workspace, channel, threadTs).length > 0) {
    return showEphemeral(workspace, reader, draft)
  }
  violations.push("an ephemeral reply to a message without replies: Slack shows it to nobody")
  return undefined
}
