import type { LocalSlack } from "../slack/local-slack.ts"
import type { Channel, Message, SlackFile, User, View } from "../slack/workspace/model.ts"
import { type AgentSession, statusOf } from "../slack/workspace/sessions.ts"
import type {
  WireAgent,
  WireChannel,
  WireFile,
  WireMessage,
  WireSession,
  WireUser,
  WireView,
} from "./wire.ts"

export function wireUser({ id, name, realName, role, tz }: User): WireUser {
  return { id, name, realName, role, tz }
}

export function wireChannel(channel: Channel): WireChannel {
  const { id, name, kind, topic, archived } = channel
  const shared = channel.sharedWith.length > 0
  return { id, name, kind, topic, archived, shared, members: [...channel.members] }
}

function wireFile({ id, name, title, content }: SlackFile): WireFile {
  const url = `/api/files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
  return { id, name, title, size: content.length, url }
}

export function wireMessage(message: Message): WireMessage {
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
  }
}

export function wireView({ id, type, hash, payload }: View): WireView {
  return { id, type, hash, payload }
}

export function wireSession(session: AgentSession): WireSession {
  const { title } = session
  return { status: statusOf(session), ...(title === undefined ? {} : { title }) }
}

export function wireAgent(slack: LocalSlack): WireAgent {
  const { surface, isStoppable: stoppable } = slack.agents
  const people = slack.users().filter(({ role }) => role !== "bot")
  const prompts = people.map(({ id }) => [id, slack.agents.prompts(id) ?? []])
  return { surface, stoppable, prompts: Object.fromEntries(prompts) }
}
