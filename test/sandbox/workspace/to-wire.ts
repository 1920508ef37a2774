import {
  type AgentSession,
  type Channel,
  type LocalSlack,
  type Message,
  type SlackFile,
  statusOf,
} from "../slack/index.ts"

export type WireChannel = ReturnType<typeof wireChannel>
export type WireFile = ReturnType<typeof wireFile>
export type WireMessage = ReturnType<typeof wireMessage>

export function wireChannel(channel: Channel) {
  const { id, name, kind, topic, archived } = channel
  const shared = channel.sharedWith.length > 0
  return { id, name, kind, topic, archived, shared, members: [...channel.members] }
}

function wireFile({ id, name, title, content }: SlackFile) {
  const url = `/api/files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
  return { id, name, title, size: content.length, url }
}

export function wireMessage(message: Message) {
  const { channel, ts, user, text, blocks, threadTs, visibleTo, revision } = message
  return {
    channel,
    ts,
    user,
    text,
    blocks,
    threadTs,
    visibleTo,
    revision,
    isBot: message.botId !== undefined,
    isDeleted: message.subtype === "tombstone",
    files: message.files.map(wireFile),
    edited: message.edited !== undefined,
  }
}

export function wireSession(session: AgentSession) {
  return { status: statusOf(session), title: session.title }
}

export function wireAgent(slack: LocalSlack) {
  const { surface, isStoppable: stoppable } = slack.agents
  const people = slack.users().filter(({ role }) => role !== "bot")
  const prompts = people.map(({ id }) => [id, slack.agents.prompts(id) ?? []] as const)
  return { surface, stoppable, prompts: Object.fromEntries(prompts) }
}
