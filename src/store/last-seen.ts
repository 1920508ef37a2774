import { z } from "zod"
import { currentTime } from "./clock.ts"
import { key } from "./keys.ts"
import { type RedisClient, script } from "./script.ts"

/** Whether Slack reaches the bot is known only from its having done so: the doctor reads this. */
interface LastSeen {
  /** Notes that a request came in, signed by Slack or not. Never throws and never waits. */
  note(signed: boolean): void
  /** When a request last came in, ms; at most a minute behind. */
  last(): Promise<LastSeenTimes>
}

/** All by Redis' clock. */
export interface LastSeenTimes {
  now: number
  signed?: number
  unsigned?: number
}

/** One write a minute and kind: a flood of forged requests costs Redis nothing. ms */
const EVERY_MS = 60_000
const KEEP_MS = 30 * 86_400_000

/** The moment when a request last came in that Slack had signed, or had not, ms. */
function seenKey(signed: boolean): string {
  return key("heard", signed ? "signed" : "unsigned")
}

const noteSeen = script(
  z.number(),
  "seen",
  "keepMs",
  `
redis.call('SET', seen, string.format('%.0f', now), 'PX', keepMs)
return 1
`,
)

export function createLastSeen(redis: RedisClient): LastSeen {
  const written = new Map<boolean, number>()
  return {
    note(signed) {
      const at = performance.now()
      if (at - (written.get(signed) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
      written.set(signed, at)
      // Nothing depends on it: while Redis is away the next request tells.
      const seen = seenKey(signed)
      noteSeen({ redis, now: undefined }, { seen }, { keepMs: KEEP_MS }).catch(() =>
        written.delete(signed),
      )
    },

    async last() {
      const [now, signed, unsigned] = await Promise.all([
        currentTime({ redis, now: undefined }),
        redis.get(seenKey(true)),
        redis.get(seenKey(false)),
      ])
      return {
        now,
        ...(Number(signed) > 0 ? { signed: Number(signed) } : {}),
        ...(Number(unsigned) > 0 ? { unsigned: Number(unsigned) } : {}),
      }
    },
  }
}
