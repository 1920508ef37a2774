import { SESSIONS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"

export type Surface = ReturnType<typeof createSurface>

/**
 * Remembers for all processes that Slack does not offer sessions to this app. That depends on the
 * app's declaration and the workspace's plan, and Slack reveals it only when the bot uses them.
 */
export function createSurface(redis: RedisClient) {
  const at = key("surface", "sessions")
  return {
    /** Returns how long the bot must not use sessions, ms; 0 if it may. */
    offMs: async (): Promise<number> => Math.max(0, await redis.pttl(at)),

    /** Returns true to the one caller that turns it off for a day. */
    async refused(code: string): Promise<boolean> {
      return (await redis.set(at, code, "PX", SESSIONS.offMs, "NX")) === "OK"
    },
  }
}

/**
 * The codes that concern the app, its plan or this Slack, not one thread: "Only apps declared as
 * agents in the app settings can create sessions" (Agent sessions), "The agent tasks feature is not
 * enabled for this workspace" (agents.sessions.setStatus), and Slack's answers for a method that it
 * does not know or that the token may not use.
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
 * Returns whether this code proves that Slack does not offer this to the app at all. "not_authorized:
 * The caller is not a member of the specified channel" has two meanings: it concerns the app only
 * if the bot can read the channel's history and so is a member.
 */
export async function isNotOffered(
  code: string,
  isInside: () => Promise<boolean>,
): Promise<boolean> {
  if (code === "not_authorized") return isInside()
  if (NOT_OFFERED.has(code)) return true
  // "This type of conversation cannot be used with this method": this code concerns only the one
  // conversation.
  return code.startsWith("method_not_supported") && !code.endsWith("_for_channel_type")
}
