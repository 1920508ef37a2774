/**
 * Availability of Slack's agent features to the app:
 * - `declared`: the manifest has `features.agent_view`, and the workspace's plan has the feature.
 * - `undeclared`: an ordinary app; Slack rejects its sessions with `not_authorized`.
 * - `disabled`: the plan lacks it; "The agent tasks feature is not enabled for this workspace"
 *   (`feature_disabled`, agents.sessions.setStatus).
 */
export type AgentSurface = "declared" | "undeclared" | "disabled"

/** Scopes: "Declaring an app as an agent adds the assistant:write scope to it" (Agent sessions). */
export const AGENT_SCOPES: readonly string[] = ["assistant:write"]

/** Extra events of an agent; without this one, Slack shows no Stop button. */
export const AGENT_EVENTS: readonly string[] = ["agent_session_stopped"]

/** One of up to four requests that Slack offers at the top of the Messages tab. */
export interface SuggestedPrompt {
  readonly title: string
  /** Message sent in the person's name when they choose it. */
  readonly message: string
}
