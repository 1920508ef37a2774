import { z } from "zod"
import type { Clock } from "../runtime/clock.ts"
import { stopwatch } from "../runtime/stopwatch.ts"
import { keys } from "./keys.ts"
import { type Now, type RedisClient, script } from "./script.ts"

/** Until Redis is asked again, ms: two good clocks drift apart by a millisecond meanwhile. */
const FRESH_MS = 10_000

/** The moment of the call. Its key says which node of a cluster is asked; nothing is read. */
const moment = script(z.number(), "epoch", "", "return now")

/** Redis' own clock, ms: in a cluster that of the node with the bot's keys, as in every script. */
export function redisTime(redis: RedisClient): Promise<number> {
  return moment({ redis, now: undefined }, keys, {})
}

/**
 * Redis' clock without a round trip each time: what it said last, and what passed since. A machine
 * that slept, or whose clock was set, asks again.
 */
export function createClock(redis: RedisClient): Clock {
  let said: { at: number; asOf: number; age: () => number } | undefined
  return async () => {
    if (!said || said.age() > FRESH_MS) {
      const at = await redisTime(redis)
      said = { at, asOf: performance.now(), age: stopwatch() }
    }
    return Math.round(said.at + performance.now() - said.asOf)
  }
}

/** Until the first entry of a sorted set of moments is due, ms; undefined when it is empty. */
export async function untilFirst(
  redis: RedisClient,
  key: string,
  now: Now,
): Promise<number | undefined> {
  const [, score] = await redis.zrange(key, "0", "0", "WITHSCORES")
  if (score === undefined) return undefined
  return Math.max(0, Number(score) - (now ? now() : await redisTime(redis)))
}
