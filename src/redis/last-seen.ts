import { keys } from "./keys.ts"
import type { RedisClient } from "./script.ts"

/** Whether Slack reaches the bot is known only from its having done so: the doctor reads this. */
export interface LastSeen {
  /** Notes that a request came in, signed by Slack or not. Never throws and never waits. */
  note(signed: boolean): void
  /** When a request last came in, ms; at most a minute behind. */
  last(): Promise<LastSeenTimes>
}

export interface LastSeenTimes {
  signed?: number
  unsigned?: number
}

/** One write a minute and kind: a flood of forged requests costs Redis nothing. ms */
const EVERY_MS = 60_000
const KEEP_MS = 30 * 86_400_000

export function createLastSeen(redis: RedisClient, now: () => number): LastSeen {
  const written = new Map<boolean, number>()
  return {
    note(signed) {
      const at = now()
      if (at - (written.get(signed) ?? 0) < EVERY_MS) return
      written.set(signed, at)
      // Nothing depends on it: while Redis is away the next request tells.
      redis.set(keys.lastSeen(signed), at, "PX", KEEP_MS).catch(() => written.delete(signed))
    },

    async last() {
      const [signed, unsigned] = await Promise.all([
        redis.get(keys.lastSeen(true)),
        redis.get(keys.lastSeen(false)),
      ])
      return {
        ...(Number(signed) > 0 ? { signed: Number(signed) } : {}),
        ...(Number(unsigned) > 0 ? { unsigned: Number(unsigned) } : {}),
      }
    },
  }
}
