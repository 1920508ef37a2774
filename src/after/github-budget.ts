import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"

/**
 * The bot's requests in an hour: a fifth of the 5,000 that GitHub allows a token, because people
 * and other programs may use the token too.
 */
const PER_HOUR = { cap: 1000, windowMs: WINDOW_MS }

export type GitHubBudget = ReturnType<typeof createGitHubBudget>

/**
 * Shares the bot's part of the token's hour among all processes.
 * @param tokenPrint identifies the token, because each has its own hour
 */
export function createGitHubBudget(store: Store, tokenPrint: string) {
  const { redis } = store
  const log = key("github", tokenPrint, "log")
  const pauseKey = key("github", tokenPrint, "pause")
  return {
    /** Returns 0 if the bot may make this many requests, otherwise the wait, ms. */
    async take(requests: number): Promise<number> {
      const pausedMs = await redis.pttl(pauseKey)
      if (pausedMs > 0) return pausedMs
      const slots = Array.from({ length: requests }, () => randomUUID())
      return takeSlots(store, { log }, PER_HOUR, slots)
    },

    /** Stops all requests for as long as GitHub demands. */
    async pause(ms: number): Promise<void> {
      await redis.set(pauseKey, "1", "PX", Math.ceil(ms))
    },
  }
}
