import { currentTime } from "./clock.ts"
import { key } from "./keys.ts"
import type { RedisClient } from "./script.ts"

/** The times of the last requests from Slack, by Redis's clock, ms. */
export interface LastSeenTimes {
  now: number
  signed?: number
  unsigned?: number
}

/** One write a minute and kind: a flood of forged requests costs Redis nothing. ms */
const EVERY_MS = 60_000
const KEEP_MS = 30 * 86_400_000
const HEARD = key("heard")

/** The record of requests from Slack: only these prove that Slack reaches the bot, so the doctor reads it. */
export function createLastSeen(redis: RedisClient) {
  const written = new Map<boolean, number>()
  const store = { redis, now: undefined }
  return {
    /** Notes that a request came in, signed by Slack or not. Never throws and never waits. */
    note(signed: boolean): void {
      const at = performance.now()
      if (at - (written.get(signed) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
      written.set(signed, at)
      // Nothing depends on it: while Redis is away the next request tells.
      currentTime(store)
        .then((now) => redis.hset(HEARD, { [signed ? "signed" : "unsigned"]: now }))
        .then(() => redis.pexpire(HEARD, KEEP_MS))
        .catch(() => written.delete(signed))
    },

    /** The time of the last request, ms; at most a minute behind. */
    async last(): Promise<LastSeenTimes> {
      const [now, heard] = await Promise.all([currentTime(store), redis.hgetall(HEARD)])
      const times = Object.entries(heard).map(([kind, at]) => [kind, Number(at)])
      return { now, ...Object.fromEntries(times) }
    },
  }
}
