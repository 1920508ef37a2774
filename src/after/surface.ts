import { z } from "zod"
import { SESSIONS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"

/** That Slack offers something is known for so long after it last took it, ms. */
const ON_MS = 30 * 86_400_000

const stateShape = z.discriminatedUnion("state", [
  z.object({ state: z.literal("on"), since: z.number(), hasStop: z.exactOptional(z.boolean()) }),
  z.object({ state: z.literal("off"), code: z.string(), since: z.number(), until: z.number() }),
])

/**
 * Findings about one part of Slack's agent surface, for all processes: whether this app has it
 * is a matter of its declaration and of the workspace's plan, and Slack does not say so before it is used.
 */
type SurfaceState = z.infer<typeof stateShape> | { state: "unknown" }

export interface Surface {
  read(): Promise<SurfaceState>
  /** Slack took something. @param hasStop is there a Stop button? Undefined where Slack does not say */
  accepted(hasStop?: boolean): Promise<void>
  /** Slack does not offer it. True for the one caller that turns it off for a day. */
  refused(code: string): Promise<boolean>
}

/**
 * Sessions and suggested prompts have a memory each: Slack ends one family of methods before the other,
 * so the refusal of one says nothing of the other.
 * @param now Redis' clock, ms
 */
export function createSurface(
  redis: RedisClient,
  part: "sessions" | "prompts",
  now: () => Promise<number>,
): Surface {
  const at = key("surface", part)
  const read = async (): Promise<SurfaceState> => {
    const text = await redis.get(at)
    return stateShape.safeParse(text === null ? undefined : parseJson(text)).data ?? UNKNOWN
  }
  return {
    read,

    async accepted(hasStop) {
      const since = await now()
      const state = { state: "on", since, ...(hasStop === undefined ? {} : { hasStop }) }
      await redis.set(at, JSON.stringify(state), "PX", ON_MS)
    },

    async refused(code) {
      const since = await now()
      const until = since + SESSIONS.offMs
      const state = JSON.stringify({ state: "off", code, since, until })
      const before = await redis.set(at, state, "PX", SESSIONS.offMs, "GET")
      return before === null || stateShape.safeParse(parseJson(before)).data?.state !== "off"
    },
  }
}

const UNKNOWN = { state: "unknown" } as const

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
 * Does this code prove that Slack does not offer this to the app at all? "not_authorized: The caller is not
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
