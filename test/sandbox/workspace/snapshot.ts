import { controlSnapshot } from "../docs-service/control.ts"
import type { DocsService } from "../docs-service/service.ts"
import type { LocalSlack } from "../slack/local-slack.ts"
import type { Message } from "../slack/workspace/model.ts"
import { wireAgent, wireChannel, wireMessage, wireSession, wireUser, wireView } from "./to-wire.ts"
import type { WireSession, WireView, WorkspaceState } from "./wire.ts"

type SlackPart = Pick<
  WorkspaceState,
  "users" | "channels" | "messages" | "homes" | "modals" | "sessions" | "agent" | "service"
>

/**
 * Returns the current state of the workspace and the service. Without private answers: Slack shows
 * them only to people present, and "they do not persist across reloads" (`chat.postEphemeral`).
 */
export function snapshot(slack: LocalSlack, docs: DocsService): SlackPart {
  const users = slack.users()
  const channels = slack.channels()
  const messages: Message[] = channels.flatMap((channel) => slack.channel(channel.id).all())
  const homes: Record<string, WireView> = {}
  const modals: Record<string, WireView> = {}
  for (const { id } of users) {
    const home = slack.home(id)
    if (home !== undefined) homes[id] = wireView(home)
    const modal = slack.modal(id)
    if (modal !== undefined) modals[id] = wireView(modal)
  }
  return {
    users: users.map(wireUser),
    channels: channels.map(wireChannel),
    messages: messages.map(wireMessage),
    homes,
    modals,
    sessions: sessionsOf(slack),
    agent: wireAgent(slack),
    service: controlSnapshot(docs),
  }
}

/** Returns all sessions by `channel:thread_ts`. */
export function sessionsOf(slack: LocalSlack): Record<string, WireSession> {
  const all = slack.agents.sessions()
  return Object.fromEntries(
    all.map((session) => [`${session.channel}:${session.threadTs}`, wireSession(session)]),
  )
}
