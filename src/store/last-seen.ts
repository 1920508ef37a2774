import { z } from "zod"
import { currentTime } from "./clock.ts"
import { key } from "./keys.ts"
import { numberField } from "./record.ts"
import type { RedisClient } from "./script.ts"

const times = z.object({ signed: numberField.default(0), unsigned: numberField.default(0) })

/** Minimum ms between two writes of a kind, so that forged requests in bulk barely load Redis. */
const EVERY_MS = 60_000
const KEEP_MS = 30 * 86_400_000
const HEARD = key("heard")

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
      currentTime({ redis })
        .then((now) => redis.hset(HEARD, { [signed ? "signed" : "unsigned"]: now }))
        .then(() => redis.pexpire(HEARD, KEEP_MS))
        .catch(() => written.delete(signed))
    },

    async last() {
      const [now, heard] = await Promise.all([currentTime({ redis }), redis.hgetall(HEARD)])
      return { now, ...times.parse(heard) }
    },
  }
}
