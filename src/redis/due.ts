import { redisTime } from "./clock.ts"
import type { Now, RedisClient } from "./script.ts"

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
