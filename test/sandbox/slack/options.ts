import type { JsonObject } from "../kit/json.ts"
import type { Refuse } from "./web-api/content.ts"
import type { People } from "./workspace/workspace.ts"

/** Content that the bot showed somebody, as it sent it, for rules that Slack itself doesn't have. */
export type Shown =
  | { readonly by: string; readonly message: JsonObject; readonly inOwnDirectMessage?: boolean }
  | { readonly by: string; readonly view: JsonObject }

export interface LocalSlackOptions {
  readonly signingSecret: string
  readonly botToken: string
  /** App-level token, required for `mode: "socket"`. */
  readonly appToken?: string | undefined
  readonly mode: "http" | "socket"
  readonly eventsUrl?: string | undefined
  /** Id of the workspace instead of the one in `people`. */
  readonly team?: string | undefined
  /** Clock in epoch ms for message times, lifetimes and rate limits. */
  readonly now?: (() => number) | undefined
  /** Slack's rate limits, or none (the default). */
  readonly rateLimits?: false | "slack" | undefined
  /** Team, app, people and channels at the start; a small team of writers by default. */
  readonly people?: People | undefined
  /** Describes violations of your own rules by what the bot shows; they add to `violations`. */
  readonly houseRules?: ((shown: Shown) => readonly string[]) | undefined
  readonly scopes?: readonly string[] | undefined
  /** Seed data: people and channels (`tests`, the default), or also conversations (`sandbox`). */
  readonly seed?: "sandbox" | "tests" | undefined
  readonly refuse?: Refuse | undefined
  /**
   * Status of the app as an agent, `undeclared` by default. `declared` adds the agent manifest's
   * scope and event to `scopes` and `events`.
   */
  readonly agent?: AgentSurface | undefined
  /** Event of a mention in a group direct message: Slack is reported to send either. */
  readonly groupMentions?: "app_mention" | "message" | "both" | undefined
  /** Time in ms that the bot has to acknowledge; 3,000 in Slack. */
  readonly ackTimeoutMs?: number | undefined
  /**
   * Waits in ms before retries of an unacknowledged event (in Slack about 0, 60,000 and 300,000);
   * empty by default, so that tests repeat a delivery themselves.
   */
  readonly eventRetryDelaysMs?: readonly number[] | undefined
  /** Number of calls and of deliveries kept; 10,000 each by default. */
  readonly keep?: number | undefined
}

/** Scopes from the manifest, and those that optional parts of the bot can need. */
export const DEFAULT_SCOPES: readonly string[] = [
  "app_mentions:read",
  "channels:history",
  "chat:write",
  "commands",
  "files:write",
  "groups:history",
  "im:history",
  "im:read",
  "im:write",
  "team:read",
  "users:read",
]

export const DEFAULT_EVENTS: readonly string[] = [
  "app_home_opened",
  "app_mention",
  "app_uninstalled",
  "message.im",
  "message.mpim",
  "tokens_revoked",
]

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
