import type { LocalSlack } from "../slack/index.ts"
import type { Catalog } from "./catalog.ts"
import { wireAgent, wireChannel, wireMessage, wireSession } from "./to-wire.ts"

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
    agent: wireAgent(slack),
    /** Offset in ms from this machine's clock. */
    aheadMs: time.aheadMs,
  }
}
