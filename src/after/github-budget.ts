import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"

/** The bot takes no more than this share of what a token may ask: people and other programs use it too. */
const SHARE = 0.25
/** Until GitHub has said how much the token may ask. */
const UNKNOWN_LIMIT = 60

export type GitHubBudget = ReturnType<typeof createGitHubBudget>

/**
 * The part of the token's hour that is the bot's, over all processes.
 * @param tokenPrint tells the token from another: each has an hour of its own
 */
export function createGitHubBudget(store: Store, tokenPrint: string) {
  const { redis } = store
  const [log = "", limitKey = "", pauseKey = ""] = ["log", "limit", "pause"].map((what) =>
    key("github", tokenPrint, what),
  )
  return {
    /** 0 when so many requests may be made, else ms to wait. */
    async take(requests: number): Promise<number> {
      const [limit, pausedMs] = await Promise.all([redis.get(limitKey), redis.pttl(pauseKey)])
      if (pausedMs > 0) return pausedMs
      const cap = Math.max(2, Math.ceil((Number(limit) || UNKNOWN_LIMIT) * SHARE) - 1)
      const slots = Array.from({ length: requests }, () => randomUUID())
      return takeSlots(store, { log }, { cap, windowMs: WINDOW_MS }, slots)
    },

    /** Learns from an answer: how much the token may ask in an hour, and for how long nothing at all. */
    async heard({ limit, pauseMs }: { limit?: number; pauseMs?: number }): Promise<void> {
      if (limit) await redis.set(limitKey, limit, "PX", 2 * WINDOW_MS)
      if (pauseMs) await redis.set(pauseKey, "1", "PX", Math.ceil(pauseMs))
    },
  }
}
