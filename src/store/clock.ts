import { z } from "zod"
import { type Clock, stopwatch } from "../runtime/time.ts"
import { key } from "./keys.ts"
import { type RedisClient, type Store, script } from "./script.ts"

/** Until Redis is asked again, ms: two good clocks drift apart by a millisecond meanwhile. */
const FRESH_MS = 10_000

/** The moment of the call. Its key says which node of a cluster is asked; nothing is read. */
const moment = script(z.number(), "any", "", "return now")

/** Reads Redis' own clock, ms: in a cluster that of the node with the bot's keys, as in every script. */
export function currentTime(store: Store): Promise<number> {
  return moment(store, { any: key("clock") }, {})
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
