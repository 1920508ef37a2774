import type { JsonObject } from "../../kit/json.ts"
import type { Message } from "./model.ts"
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
