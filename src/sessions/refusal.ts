/**
 * Codes that say something of the app, its plan or this Slack, not of one thread: "Only apps declared as
 * agents in the app settings can create sessions" (Agent sessions), "The agent tasks feature is not enabled
 * for this workspace" (agents.sessions.setStatus), and what Slack answers for a method that it does not
 * know or that the token is not for.
 */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  "not_authorized",
  "not_agent_app",
  "missing_scope",
  "feature_disabled",
  "feature_not_enabled",
  "paid_only",
  "unknown_method",
  "method_deprecated",
  "deprecated_endpoint",
  "not_allowed_token_type",
])

/** Does this code mean that Slack does not offer its agent surface to this app at all? */
export function isNotOffered(code: string): boolean {
  if (NOT_OFFERED.has(code)) return true
  // "This type of conversation cannot be used with this method": about this conversation alone.
  return code.startsWith("method_not_supported") && !code.endsWith("_for_channel_type")
}
