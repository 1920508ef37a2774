import type { Core } from "./core.ts"
import { sendEvent } from "./delivery/events.ts"
import { AGENT_EVENTS, AGENT_SCOPES, type AgentSurface } from "./options.ts"
import { stoppedEvent } from "./person/agent.ts"
import type { MessageRef } from "./person/target.ts"
import { allSessions, sessionOf } from "./workspace/sessions.ts"

/** Returns controls for Slack's agent features: reading, switching, and sending late events. */
export function createAgentControls(core: Core) {
  const { settings, workspace } = core
  return {
    get surface() {
      return settings.agent
    },
    /** Returns the session of the thread with this root, with its history. */
    session: (channel: string, ts: string) => sessionOf(workspace, channel, ts),
    sessions: () => allSessions(workspace),
    /**
     * Delivers `agent_session_stopped` in any state of the session, or without one: a click that
     * arrives late, or in a thread unknown to the bot. `redeliver` repeats it.
     */
    sendStop: (thread: MessageRef, userId: string) =>
      sendEvent(core, stoppedEvent(core, userId, thread)),
    /** Makes the app an agent or an ordinary app, with the scope and event of its manifest. */
    set(surface: AgentSurface) {
      const more = surface === "declared"
      settings.agent = surface
      settings.scopes = withOrWithout(settings.scopes, AGENT_SCOPES, more)
      settings.events = withOrWithout(settings.events, AGENT_EVENTS, more)
      workspace.changes.emit({ type: "changed" })
    },
  }
}

function withOrWithout(set: ReadonlySet<string>, names: readonly string[], more: boolean) {
  const others = [...set].filter((one) => !names.includes(one))
  return new Set(more ? [...others, ...names] : others)
}
