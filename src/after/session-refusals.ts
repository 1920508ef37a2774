/**
 * Error codes that concern the app, its plan or the workspace, not one thread: "Only apps declared
 * as agents in the app settings can create sessions" (Agent sessions), "The agent tasks feature is
 * not enabled for this workspace" (agents.sessions.setStatus), and Slack's answers for a method
 * that it does not know or that the token may not use.
 */
export const NOT_OFFERED: ReadonlySet<string> = new Set([
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

/**
 * Returns whether this code proves that Slack does not offer sessions to the app at all. "The
 * caller is not a member of the specified channel" (not_authorized) proves it only for a member.
 */
export async function isNotOffered(code: string, isInside: () => Promise<boolean>) {
  if (code === "not_authorized") return isInside()
  if (NOT_OFFERED.has(code)) return true
  // "This type of conversation cannot be used with this method" concerns only one conversation.
  return code.startsWith("method_not_supported") && !code.endsWith("_for_channel_type")
}
