import type { AgentSurface, SuggestedPrompt } from "./agent-surface.ts"
import type { Refuse } from "./web-api/refusals.ts"

export type GroupMentions = "app_mention" | "message" | "both"

export interface LocalSlackOptions {
  readonly signingSecret: string
  readonly botToken: string
  /** Needed for `mode: "socket"`. */
  readonly appToken?: string | undefined
  readonly mode: "http" | "socket"
  readonly eventsUrl?: string | undefined
  /** Milliseconds; times of messages, lifetimes and rate limits follow it. */
  readonly now?: (() => number) | undefined
  /** Slack's own limits, or none (the default). */
  readonly rateLimits?: false | "slack" | undefined
  readonly scopes?: readonly string[] | undefined
  /** `tests` (the default) has people and channels, `sandbox` also some conversations. */
  readonly seed?: "sandbox" | "tests" | undefined
  readonly refuse?: Refuse | undefined
  /**
   * Whether the app is an agent here; `undeclared` if left out. `declared` adds the scope and the event
   * that the agent manifest asks for to `scopes` and `events`.
   */
  readonly agent?: AgentSurface | undefined
  /** Those of the manifest, in the Messages tab of an agent. */
  readonly suggestedPrompts?: readonly SuggestedPrompt[] | undefined
  /** Which event a mention in a group direct message causes: Slack is reported to do each. */
  readonly groupMentions?: GroupMentions | undefined
  /** Commands come with `<@U…|name>`, `<#C…|name>` and `<https://…>`; false, the default, as typed. */
  readonly escapeCommands?: boolean | undefined
  /** How long the bot may take to acknowledge; Slack gives 3,000 ms. */
  readonly ackTimeoutMs?: number | undefined
  /**
   * Waits before the automatic retries of an event nobody acknowledged. Slack's are about 0, one
   * and five minutes; the default is no retry, so that tests repeat a delivery themselves.
   */
  readonly eventRetryDelaysMs?: readonly number[] | undefined
  /** How many calls and deliveries are remembered; 10,000 each if left out. */
  readonly keep?: number | undefined
}

/** What the manifest asks for, and what the optional parts of the bot may ask for on top. */
export const DEFAULT_SCOPES: readonly string[] = [
  "app_mentions:read",
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "files:write",
  "groups:history",
  "groups:read",
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
