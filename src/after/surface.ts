import { SESSIONS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"

export type Surface = ReturnType<typeof createSurface>

/**
 * Remembers, for all processes, that Slack does not offer sessions to this app: that is a matter of its
 * declaration and of the workspace's plan, and Slack does not say so before they are used.
 */
export function createSurface(redis: RedisClient) {
  const at = key("surface", "sessions")
  return {
    /** The time for which Slack is not asked, ms; 0 when it may be. */
    offMs: async (): Promise<number> => Math.max(0, await redis.pttl(at)),

    /** Returns true to the one caller that turns it off for a day. */
    async refused(code: string): Promise<boolean> {
      return (await redis.set(at, code, "PX", SESSIONS.offMs, "NX")) === "OK"
    },
  }
}

/**
 * Codes that say something of the app, its plan or this Slack, not of one thread: "Only apps declared as
 * agents in the app settings can create sessions" (Agent sessions), "The agent tasks feature is not enabled
 * for this workspace" (agents.sessions.setStatus), and what Slack answers for a method that it does not
 * know or that the token is not for.
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
 * Tells whether this code proves that Slack does not offer this to the app at all. "not_authorized: The caller is not
 * a member of the specified channel" has two meanings: only where a read of its history succeeded, the bot
 * is inside, and it is about the app.
 */
export async function isNotOffered(
  code: string,
  isInside: () => Promise<boolean>,
): Promise<boolean> {
  if (code === "not_authorized") return isInside()
  if (NOT_OFFERED.has(code)) return true
  // "This type of conversation cannot be used with this method": about this conversation alone.
  return code.startsWith("method_not_supported") && !code.endsWith("_for_channel_type")
}
