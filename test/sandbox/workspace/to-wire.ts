import {
  type AgentSession,
  type Channel,
  type LocalSlack,
  type Message,
  type SlackFile,
  statusOf,
} from "../slack/index.ts"
import type { Catalog } from "./catalog.ts"

export type WireChannel = ReturnType<typeof wireChannel>
export type WireFile = ReturnType<typeof wireFile>
export type WireMessage = ReturnType<typeof wireMessage>

function wireChannel(channel: Channel) {
  const { id, name, kind, archived } = channel
  const shared = channel.sharedWith.length > 0
  return { id, name, kind, archived, shared, members: [...channel.members] }
}

function wireFile({ id, name, title, content }: SlackFile) {
  const url = `/api/files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
  return { id, name, title, size: content.length, url }
}

export function wireMessage(message: Message) {
  const isBot = message.botId !== undefined
  const edited = message.edited !== undefined
  return { ...message, isBot, edited, files: message.files.map(wireFile) }
}

function wireSession(session: AgentSession) {
  return { status: statusOf(session), title: session.title }
}

export interface Shown {
  readonly slack: LocalSlack
  readonly catalog: Catalog
  readonly time: { readonly aheadMs: number }
}

/** Complete state, for everyone; the page shows one person's part of it. */
export type WorkspaceState = ReturnType<typeof snapshot>

/**
 * Returns the current state as plain JSON, with the private answers since a time in epoch ms: Slack
 * shows them only to people present, and "they do not persist across reloads" (`chat.postEphemeral`).
 */
export function snapshot({ slack, catalog, time }: Shown, since: number) {
  const users = slack.users()
  const channels = slack.channels()
  const messages = [
    ...channels.flatMap(({ id }) => slack.channel(id).all()),
    ...users
      .flatMap(({ id }) => slack.ephemerals(id))
      .filter(({ ts }) => Number(ts) * 1000 >= since),
  ]
  return {
    catalog,
    users,
    channels: channels.map(wireChannel),
    messages: messages.toSorted((a, b) => Number(a.ts) - Number(b.ts)).map(wireMessage),
    homes: Object.fromEntries(users.map(({ id }) => [id, slack.home(id)])),
    modals: Object.fromEntries(users.map(({ id }) => [id, slack.modal(id)])),
    /** Agent sessions by `channel:thread_ts`. */
    sessions: Object.fromEntries(
      slack.agents
        .sessions()
        .map((session) => [`${session.channel}:${session.threadTs}`, wireSession(session)]),
    ),
    agent: { surface: slack.agents.surface },
    /** Offset in ms from this machine's clock. */
    aheadMs: time.aheadMs,
  }
}
