import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"

/** The bot takes no more than this share of what a token may ask: people and other programs use it too. */
const SHARE = 0.25
/** Until GitHub has said how much the token may ask. */
const UNKNOWN_LIMIT = 60
const KNOWN_MS = 2 * WINDOW_MS

/** The part of the token's hour that is the bot's, over all processes. */
export interface GitHubBudget {
  /** 0 when so many requests may be made, else ms to wait. */
  take(requests: number): Promise<number>
  learn(limit: number): Promise<void>
  /** GitHub wants to be asked nothing at all for so long. */
  pause(ms: number): Promise<void>
}

/** @param tokenPrint tells the token from another: each has an hour of its own */
export function createGitHubBudget(
  store: Store,
  tokenPrint: string,
  windowMs = WINDOW_MS,
): GitHubBudget {
  const { redis } = store
  const keyOf = (what: string) => key("github", tokenPrint, what)
  const [log, limitKey, pauseKey] = [keyOf("log"), keyOf("limit"), keyOf("pause")]
  return {
    async take(requests) {
      const [limit, pausedMs] = await Promise.all([redis.get(limitKey), redis.pttl(pauseKey)])
      if (pausedMs > 0) return pausedMs
      const cap = Math.max(2, Math.ceil((Number(limit) || UNKNOWN_LIMIT) * SHARE) - 1)
      const slots = Array.from({ length: requests }, () => randomUUID())
      return takeSlots(store, { log }, { cap, windowMs }, slots)
    },

    async learn(limit) {
      await redis.set(limitKey, limit, "PX", KNOWN_MS)
    },

    async pause(ms) {
      await redis.set(pauseKey, "1", "PX", Math.max(1, Math.ceil(ms)))
    },
  }
}
