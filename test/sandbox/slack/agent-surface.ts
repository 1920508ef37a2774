/**
 * How far Slack's agent surface is there for the app:
 * - `declared`: the manifest has `features.agent_view`, and the plan of the workspace has the feature.
 * - `undeclared`: an app like any other; Slack refuses its sessions with `not_authorized`.
 * - `disabled`: the plan lacks it; "The agent tasks feature is not enabled for this workspace"
 *   (`feature_disabled`, agents.sessions.setStatus).
 */
export type AgentSurface = "declared" | "undeclared" | "disabled"

/** "Declaring an app as an agent adds the assistant:write scope to it" (Agent sessions). */
export const AGENT_SCOPES: readonly string[] = ["assistant:write"]

/** What an app of that kind subscribes to on top: without it Slack shows no Stop button. */
export const AGENT_EVENTS: readonly string[] = ["agent_session_stopped"]

/** One of at most four requests that Slack offers at the top of the Messages tab. */
export interface SuggestedPrompt {
  readonly title: string
  /** What is sent in the person's name when they choose it. */
  readonly message: string
}
