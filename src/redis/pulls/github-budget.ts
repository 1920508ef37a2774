import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../../config/timing.ts"
import type { GitHubBudget } from "../../pulls/ports.ts"
import { keys } from "../keys.ts"
import type { Now, RedisClient } from "../script.ts"
import { takeSlots } from "../window.lua.ts"

/** The bot takes no more than this share of what a token may ask: people and other programs use it too. */
const SHARE = 0.25
/** Until GitHub has said how much the token may ask. */
const UNKNOWN_LIMIT = 60
const KNOWN_MS = 2 * WINDOW_MS

/** @param tokenFingerprint what tells the token from another: each has an hour of its own */
export function createGitHubBudget(
  redis: RedisClient,
  {
    tokenFingerprint,
    now,
    windowMs = WINDOW_MS,
  }: { tokenFingerprint: string; now?: Now; windowMs?: number },
): GitHubBudget {
  const own = keys.gitHub(tokenFingerprint)
  return {
    async take(requests) {
      const [limit, paused] = await Promise.all([redis.get(own.limit), redis.pttl(own.pause)])
      if (paused > 0) return paused
      const cap = Math.max(2, Math.ceil((Number(limit) || UNKNOWN_LIMIT) * SHARE) - 1)
      const slots = Array.from({ length: requests }, () => randomUUID())
      return takeSlots({ redis, now }, { log: own.log }, { cap, windowMs }, slots)
    },

    async learn({ limit }) {
      await redis.set(own.limit, limit, "PX", KNOWN_MS)
    },

    async pause(ms) {
      await redis.set(own.pause, "1", "PX", Math.max(1, Math.ceil(ms)))
    },
  }
}
