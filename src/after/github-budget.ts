import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"

/**
 * Requests that the bot makes in an hour: a fifth of the 5,000 that GitHub allows a token, as people and other
 * programs use it too.
 */
const PER_HOUR = { cap: 1000, windowMs: WINDOW_MS }

export type GitHubBudget = ReturnType<typeof createGitHubBudget>

/**
 * The part of the token's hour that is the bot's, over all processes.
 * @param tokenPrint tells the token from another: each has an hour of its own
 */
export function createGitHubBudget(store: Store, tokenPrint: string) {
  const { redis } = store
  const log = key("github", tokenPrint, "log")
  const pauseKey = key("github", tokenPrint, "pause")
  return {
    /** 0 when so many requests may be made, else ms to wait. */
    async take(requests: number): Promise<number> {
      const pausedMs = await redis.pttl(pauseKey)
      if (pausedMs > 0) return pausedMs
      const slots = Array.from({ length: requests }, () => randomUUID())
      return takeSlots(store, { log }, PER_HOUR, slots)
    },

    /** GitHub wants to be asked nothing at all for so long. */
    async pause(ms: number): Promise<void> {
      await redis.set(pauseKey, "1", "PX", Math.ceil(ms))
    },
  }
}
