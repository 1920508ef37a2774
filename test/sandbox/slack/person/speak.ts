import { compact, type JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import type { Acknowledgement } from "../delivery/delivery.ts"
import { announceEdit, announceMessage } from "../delivery/message-events.ts"
import { addFile, fileObject, type NewFile } from "../workspace/files.ts"
import { editMessage, messagesOf, postMessage } from "../workspace/messages.ts"
import type { Channel, Message, User } from "../workspace/model.ts"
import { channelOf, isOwnDirectMessage } from "../workspace/workspace.ts"
import { requireAccess } from "./agent.ts"
import { composeMessage } from "./compose.ts"
import { type Actor, findMessage, type MessageRef } from "./target.ts"

export type SharedFile = Omit<NewFile, "id" | "user" | "channels">

export interface PostOptions {
  readonly thread?: string | undefined
  readonly files?: readonly SharedFile[] | undefined
  readonly forward?: MessageRef | undefined
  /** Rows of a pasted table. */
  readonly table?: readonly (readonly string[])[] | undefined
}

/** Posted message, and the bot's response to the first delivery of each of its events. */
export interface Posted extends Message {
  readonly deliveries: readonly Acknowledgement[]
}

/**
 * Posts as a person, with links as Slack's composer makes them; resolves once the bot has responded
 * to the events, if any.
 */
export async function speak(
  actor: Actor,
  channelId: string,
  typed: string,
  options: PostOptions = {},
): Promise<Posted> {
  const { core, user } = actor
  const channel = channelOf(core.workspace, channelId)
  requireSpeaker(user, channel)
  if (isOwnDirectMessage(core.workspace, channel)) requireAccess(actor)
  const own = { user: user.id, channels: [channel.id] }
  const files = (options.files ?? []).map((file) => addFile(core.workspace, { ...file, ...own }))
  const message = postMessage(core.workspace, {
    channel: channel.id,
    user: user.id,
    ...composeMessage(core.workspace, typed),
    subtype: files.length > 0 ? "file_share" : undefined,
    attachments: [
      ...(options.forward === undefined ? [] : [forwarded(actor, options.forward)]),
      ...(options.table === undefined ? [] : [pastedTable(options.table)]),
    ],
    threadTs: options.thread === undefined ? undefined : rootTs(core, channel.id, options.thread),
    files,
  })
  return { ...message, deliveries: await announceMessage(core, message) }
}

/** Returns a pasted table, of which nothing is in the message's `text`, `blocks` or `files`. */
function pastedTable(rows: readonly (readonly string[])[]): JsonObject {
  const cells = rows.map((row) => row.map((text) => ({ type: "raw_text", text })))
  return { id: 1, fallback: "[no preview available]", blocks: [{ type: "table", rows: cells }] }
}

/**
 * Edits one's own message, in which a mention stays only if typed again; resolves once the bot has
 * responded to the events, if any.
 */
export async function edit(
  { core, user }: Actor,
  { channel, ts }: MessageRef,
  typed: string,
): Promise<Posted> {
  const message = messagesOf(core.workspace, channel).get(ts)
  if (message?.user !== user.id) throw new Error(`${user.realName} can't edit message ${ts}`)
  const words = composeMessage(core.workspace, typed)
  const edited = editMessage(core.workspace, message, { ...words, marked: true })
  return { ...edited, deliveries: await announceEdit(core, edited, message) }
}

function rootTs(core: Core, channel: string, ts: string): string {
  const message = core.workspace.messages.get(channel)?.get(ts)
  if (message === undefined) throw new Error(`There is no message ${ts} in ${channel} to reply to`)
  return message.threadTs ?? message.ts
}

/** Checks access. @throws Error if Slack would give this person no message box in the channel. */
export function requireSpeaker(user: User, channel: Channel): void {
  const name = channel.name === "" ? channel.id : `#${channel.name}`
  if (channel.archived) throw new Error(`${name} is archived: no one can post there`)
  if (channel.members.has(user.id)) return
  throw new Error(`${user.realName} is not in ${name}: add them or choose another channel`)
}

/** Returns the attachment of a forwarded message, with its text, blocks and files. */
function forwarded(actor: Actor, ref: MessageRef): JsonObject {
  const { channel, ts, text, blocks, files, user: author, threadTs } = findMessage(actor, ref)
  const { workspace } = actor.core
  const { team, users } = workspace
  const { name } = channelOf(workspace, channel)
  const path = `${channel}/p${ts.replace(".", "")}`
  return compact({
    is_msg_unfurl: true,
    is_share: true,
    channel_id: channel,
    channel_team: team.id,
    ts,
    author_id: author || undefined,
    author_name: users.get(author)?.realName,
    footer: threadTs === undefined ? `Posted in #${name}` : `From a thread in #${name}`,
    from_url: `https://${team.domain}.slack.com/archives/${path}`,
    fallback: `[${users.get(author)?.name ?? ""}] ${text}`,
    text,
    message_blocks:
      blocks.length > 0
        ? [{ team: team.id, channel, ts, message: { blocks: [...blocks] } }]
        : undefined,
    files: files.length > 0 ? files.map((file) => fileObject(workspace, file)) : undefined,
    mrkdwn_in: ["text"],
  })
}
