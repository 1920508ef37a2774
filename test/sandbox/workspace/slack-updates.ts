import type { LocalSlack } from "../slack/local-slack.ts"
import type { SlackChange } from "../slack/workspace/changes.ts"
import { wireAgent, wireChannel, wireMessage, wireSession, wireView } from "./to-wire.ts"
import type { Update } from "./wire.ts"

/** Returns the update for pages after a change to the workspace; undefined if not visible. */
export function slackUpdate(slack: LocalSlack, change: SlackChange): Update | undefined {
  switch (change.type) {
    case "message_posted":
    case "message_edited":
    case "ephemeral_shown":
      return { type: "message", message: wireMessage(change.message) }
    case "message_deleted":
      return deleted(slack, change.channel, change.ts)
    case "ephemeral_removed":
      return { type: "message_gone", ts: change.ts }
    case "home_changed": {
      const view = slack.home(change.user)
      return { type: "home", user: change.user, ...(view ? { view: wireView(view) } : {}) }
    }
    case "modal_changed": {
      const view = slack.modal(change.user)
      return { type: "modal", user: change.user, ...(view ? { view: wireView(view) } : {}) }
    }
    case "session_changed": {
      const { channel, threadTs } = change
      const session = slack.agents.session(channel, threadTs)
      if (session === undefined) return undefined
      return { type: "session", thread: `${channel}:${threadTs}`, session: wireSession(session) }
    }
    case "agent_changed":
      return { type: "agent", agent: wireAgent(slack) }
    case "channel_changed": {
      const channel = slack.channels().find(({ id }) => id === change.channel)
      return channel ? { type: "channel", channel: wireChannel(channel) } : undefined
    }
    default:
      return undefined
  }
}

/** Returns the tombstone that the root of a thread leaves, or the removal of any other message. */
function deleted(slack: LocalSlack, channel: string, ts: string): Update {
  const [left] = slack
    .channel(channel)
    .all()
    .filter((message) => message.ts === ts)
  return left
    ? { type: "message", message: wireMessage(left) }
    : { type: "message_gone", channel, ts }
}
