import { key } from "./keys.ts"
import type { RedisClient } from "./script.ts"

/** Minimum ms between two writes of a kind, so that forged requests in bulk barely load Redis. */
const EVERY_MS = 60_000
const KEEP_MS = 30 * 86_400_000
const keyOf = (signed: boolean) => key("heard", signed ? "signed" : "unsigned")

/** Creates the record of requests from Slack, which alone prove that Slack reaches the bot. */
export function createLastSeen(redis: RedisClient) {
  const written = new Map<boolean, number>()
  return {
    /** Records that a request came in, signed by Slack or not. Never throws and never waits. */
    note(signed: boolean): void {
      const at = performance.now()
      if (at - (written.get(signed) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
      written.set(signed, at)
      // Nothing depends on this write. If Redis is unavailable, the next request writes again.
      redis.set(keyOf(signed), "1", "PX", KEEP_MS).catch(() => written.delete(signed))
    },

    /** Returns how long ago in ms a request came in; `Infinity` if none did in 30 days. */
    async age(signed: boolean): Promise<number> {
      const leftMs = await redis.pttl(keyOf(signed))
      return leftMs < 0 ? Number.POSITIVE_INFINITY : KEEP_MS - leftMs
    },
  }
}
