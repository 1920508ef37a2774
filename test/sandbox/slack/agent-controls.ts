import { AGENT_EVENTS, AGENT_SCOPES, type AgentSurface } from "./agent-surface.ts"
import type { Core } from "./core.ts"
import { sendEvent } from "./delivery/events.ts"
import { promptsFor, stoppedEvent } from "./person/agent.ts"
import type { MessageRef } from "./person/target.ts"
import { allSessions, sessionOf } from "./workspace/sessions.ts"
import { userOf } from "./workspace/workspace.ts"

export type AgentControls = ReturnType<typeof createAgentControls>

/** Slack's agent surface, to look at, to switch and to send late events from. */
export function createAgentControls(core: Core) {
  const { settings, workspace } = core
  return {
    get surface() {
      return settings.agent
    },
    /** Whether Slack shows a Stop button at all: not to an app that would not hear of it. */
    get isStoppable() {
      return settings.events.has("agent_session_stopped")
    },
    /** The session of the thread with this root, with every state it had. */
    session: (channel: string, ts: string) => sessionOf(workspace, channel, ts),
    sessions: () => allSessions(workspace),
    /** The top of this person's Messages tab; undefined where Slack shows none. */
    prompts: (userId: string) => promptsFor(core, userOf(workspace, userId)),
    /**
     * Delivers `agent_session_stopped`, whatever the session is by now and whether there is one at all: a
     * click that arrives late, or in a thread the bot knows nothing of. `redeliver` repeats it.
     */
    sendStop: (thread: MessageRef, userId: string) =>
      sendEvent(core, stoppedEvent(core, userId, thread)),
    /** Makes the app an agent or an ordinary app, as its manifest would with its scope and event. */
    set(surface: AgentSurface) {
      const more = surface === "declared"
      settings.agent = surface
      settings.scopes = withOrWithout(settings.scopes, AGENT_SCOPES, more)
      settings.events = withOrWithout(settings.events, AGENT_EVENTS, more)
      workspace.changes.emit({ type: "agent_changed" })
    },
  }
}

function withOrWithout(set: ReadonlySet<string>, names: readonly string[], more: boolean) {
  const others = [...set].filter((one) => !names.includes(one))
  return new Set(more ? [...others, ...names] : others)
}
