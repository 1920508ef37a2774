import { compact, type JsonObject } from "../../kit/json.ts"
import { fileObject } from "./files.ts"
import type { Message, OtherApp } from "./model.ts"
import type { Workspace } from "./workspace.ts"

/** Message as somebody writes it; omitted fields are empty. */
export type NewMessage = Pick<Message, "channel" | "user" | "text"> & Partial<Message>

export function postMessage(workspace: Workspace, draft: NewMessage): Message {
  const message = insertMessage(workspace, draft, workspace.nextTs())
  workspace.changes.emit({ type: "message_posted", message })
  return message
}

/** Inserts a message at `ts` without emitting a change. */
export function insertMessage(workspace: Workspace, draft: NewMessage, ts: string): Message {
  const message = compose(draft, ts, undefined)
  messagesOf(workspace, draft.channel).set(ts, message)
  if (message.threadTs !== undefined) recordReply(workspace, message, message.threadTs)
  return message
}

/** Shows a message to one person only; the Web API can't fetch it. */
export function showEphemeral(workspace: Workspace, userId: string, draft: NewMessage): Message {
  const message = compose(draft, workspace.nextTs(), userId)
  const shown = workspace.ephemerals.get(userId) ?? new Map<string, Message>()
  workspace.ephemerals.set(userId, shown.set(message.ts, message))
  workspace.changes.emit({ type: "changed" })
  return message
}

export interface MessageEdit {
  readonly text: string
  readonly blocks: readonly JsonObject[]
  readonly metadata?: JsonObject | undefined
  /** True if readers see "(edited)"; Slack omits it for edits with blocks. */
  readonly marked: boolean
}

/** Replaces `message`, ephemeral or not, with a new version and returns it. */
export function editMessage(workspace: Workspace, message: Message, edit: MessageEdit): Message {
  const edited: Message = {
    ...message,
    text: edit.text,
    blocks: edit.blocks,
    metadata: edit.metadata ?? message.metadata,
    edited: edit.marked ? { user: message.user, ts: workspace.nextTs() } : message.edited,
    revision: message.revision + 1,
  }
  storeOf(workspace, message).set(message.ts, edited)
  if (message.visibleTo !== undefined) {
    workspace.changes.emit({ type: "changed" })
  } else {
    workspace.changes.emit({ type: "message_edited", message: edited, previous: message })
  }
  return edited
}

export function deleteMessage(workspace: Workspace, message: Message): void {
  storeOf(workspace, message).delete(message.ts)
  workspace.changes.emit({ type: "changed" })
}

export function messagesOf(workspace: Workspace, channel: string): Map<string, Message> {
  const known = workspace.messages.get(channel)
  if (known !== undefined) return known
  const messages = new Map<string, Message>()
  workspace.messages.set(channel, messages)
  return messages
}

/** Returns the replies of a thread, oldest first, without the root. */
export function repliesTo(workspace: Workspace, channel: string, ts: string): Message[] {
  const store = messagesOf(workspace, channel)
  return (workspace.threads.get(`${channel}:${ts}`) ?? []).flatMap((one) => store.get(one) ?? [])
}

function recordReply(workspace: Workspace, message: Message, root: string): void {
  const key = `${message.channel}:${root}`
  const known = workspace.threads.get(key)
  if (known === undefined) workspace.threads.set(key, [message.ts])
  else known.push(message.ts)
}

function storeOf(workspace: Workspace, message: Message): Map<string, Message> {
  if (message.visibleTo === undefined) return messagesOf(workspace, message.channel)
  return workspace.ephemerals.get(message.visibleTo) ?? new Map<string, Message>()
}

function compose(draft: NewMessage, ts: string, visibleTo: string | undefined): Message {
  return {
    botId: draft.app?.botId,
    app: undefined,
    subtype: undefined,
    threadTs: undefined,
    metadata: undefined,
    edited: undefined,
    revision: 1,
    ...draft,
    blocks: draft.blocks ?? [],
    attachments: draft.attachments ?? [],
    files: draft.files ?? [],
    ts,
    visibleTo,
  }
}

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
