import { type Clock, stopwatch } from "../runtime/time.ts"
import { read } from "./commit.ts"
import { key } from "./keys.ts"
import type { RedisClient, Store } from "./script.ts"

/** Until Redis is asked again, ms: two good clocks drift apart by a millisecond meanwhile. */
const FRESH_MS = 10_000

/** Reads Redis' own clock, ms: in a cluster that of the node with the bot's keys, as in every script. */
export async function currentTime(store: Store): Promise<number> {
  return (await read(store, { record: key("clock") })).now
}

/**
 * Redis' clock without a round trip each time: what it said last, and what passed since. A machine
 * that slept, or whose clock was set, asks again.
 */
export function createClock(redis: RedisClient): Clock {
  let said: { at: number; asOf: number; age: () => number } | undefined
  return async () => {
    if (!said || said.age() > FRESH_MS) {
      const at = await currentTime({ redis, now: undefined })
      said = { at, asOf: performance.now(), age: stopwatch() }
    }
    return Math.round(said.at + performance.now() - said.asOf)
  }
}
