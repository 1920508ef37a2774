import { jobPacking } from "../../src/redis/archive/pack-jobs.ts"
import { keys } from "../../src/redis/keys.ts"
import type { RedisClient } from "../../src/redis/script.ts"

/** So long after its end a job is packed also where it is the only one, ms. */
const LONG_MS = 5 * 3_600_000

/** Packs every ended job of which all is said, as if that was hours ago. @returns how many there were */
export async function packEnded(redis: RedisClient): Promise<number> {
  // The worker waits for an hour before its first pack ever.
  await redis.set(keys.jobPacksFrom, "1")
  const pack = jobPacking(redis, { restMs: 0, afterMs: 0, few: 250 })
  const ids = await redis.zrange(keys.ended, "0", "-1")
  for (const id of ids) await redis.zincrby(keys.ended, -LONG_MS, id)
  while (await pack());
  return ids.length
}
