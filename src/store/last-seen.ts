import { key } from "./redis-keys.ts"
import type { RedisClient } from "./script.ts"

/** Minimum ms between two writes of the same, so that forged requests in bulk barely load Redis. */
const EVERY_MS = 60_000
const KEEP_MS = 30 * 86_400_000
const LAST = key("heard", "last")

/** Creates the record of the last request, which alone proves that Slack reaches the bot. */
export function createLastSeen(redis: RedisClient) {
  let written = { signed: false, at: Number.NEGATIVE_INFINITY }
  return {
    /** Records that a request came in, signed by Slack or not. Never throws and never waits. */
    note(signed: boolean): void {
      const at = performance.now()
      if (signed === written.signed && at - written.at < EVERY_MS) return
      written = { signed, at }
      // Nothing depends on this write. If Redis is unavailable, a later request writes again.
      redis.set(LAST, signed ? "signed" : "unsigned", "PX", KEEP_MS).catch(() => {})
    },

    /** Returns `signed` or `unsigned`; null if no request came in for 30 days. */
    read: () => redis.get(LAST),
  }
}
