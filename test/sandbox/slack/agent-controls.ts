import {
  AGENT_EVENTS,
  AGENT_SCOPES,
  type AgentSurface,
  type SuggestedPrompts,
} from "./agent-surface.ts"
import type { Core } from "./core.ts"
import type { Acknowledgement } from "./delivery/delivery.ts"
import { sendEvent } from "./delivery/events.ts"
import { canStop, promptsFor, stoppedEvent } from "./person/agent.ts"
import type { MessageRef } from "./person/target.ts"
import { type AgentSession, allSessions, sessionOf } from "./workspace/sessions.ts"
import { userOf } from "./workspace/workspace.ts"

/** Slack's agent surface, to look at, to switch and to send late events from. */
export interface AgentControls {
  readonly surface: AgentSurface
  /** Whether Slack shows a Stop button at all: not to an app that would not hear of it. */
  readonly isStoppable: boolean
  /** The session of the thread with this root, with every state it had. */
  session(channel: string, ts: string): AgentSession | undefined
  /** Every session, in the order in which they began. */
  sessions(): AgentSession[]
  /** Whether this person sees Slack's Stop button in the thread with this root. */
  canStop(userId: string, thread: MessageRef): boolean
  /** What stands at the top of this person's Messages tab; undefined where Slack shows none. */
  prompts(userId: string): SuggestedPrompts | undefined
  /**
   * Delivers `agent_session_stopped`, whatever the session is by now and whether there is one at all: a
   * click that arrives late, or in a thread the bot knows nothing of. `redeliver` repeats it.
   */
  sendStop(thread: MessageRef, userId: string): Promise<Acknowledgement>
  /** Makes the app an agent or an ordinary app, as its manifest would with its scope and event. */
  set(surface: AgentSurface): void
  /** Whether the app subscribes to `agent_session_stopped`; a manifest can forget it. */
  setStopSubscription(on: boolean): void
}

export function createAgentControls(core: Core): AgentControls {
  const { settings, workspace } = core
  return {
    get surface() {
      return settings.agent
    },
    get isStoppable() {
      return settings.events.has("agent_session_stopped")
    },
    session: (channel, ts) => sessionOf(workspace, channel, ts),
    sessions: () => allSessions(workspace),
    canStop: (userId, thread) => canStop(core, userOf(workspace, userId), thread),
    prompts: (userId) => promptsFor(core, userOf(workspace, userId)),
    sendStop: (thread, userId) => sendEvent(core, stoppedEvent(core, userId, thread)),
    set(surface) {
      const more = surface === "declared"
      settings.agent = surface
      settings.scopes = withOrWithout(settings.scopes, AGENT_SCOPES, more)
      settings.events = withOrWithout(settings.events, AGENT_EVENTS, more)
      workspace.changes.emit({ type: "agent_changed" })
    },
    setStopSubscription(on) {
      settings.events = withOrWithout(settings.events, AGENT_EVENTS, on)
      workspace.changes.emit({ type: "agent_changed" })
    },
  }
}

function withOrWithout(set: ReadonlySet<string>, names: readonly string[], more: boolean) {
  const others = [...set].filter((one) => !names.includes(one))
  return new Set(more ? [...others, ...names] : others)
}
