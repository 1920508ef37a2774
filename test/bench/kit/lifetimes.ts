import type { Redis } from "ioredis"

const HOUR_MS = 3_600_000
/** What has no time of its own to live: lists of the audit, whose entries stay for `AUDIT_DAYS`. */
const AUDIT_HOURS = 90 * 24

/**
 * How much Redis keeps of everything, times how long: bytes x hours. At a steady rate of jobs an hour
 * that is what they take in the end, whichever of their keys lives for minutes and which for months.
 */
export async function byteHours(redis: Redis): Promise<number> {
  let sum = 0
  for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>) {
    const each = await Promise.all(
      keys.map(async (key) => [await redis.memory("USAGE", key), await redis.pttl(key)] as const),
    )
    for (const [bytes, ttlMs] of each)
      sum += (bytes ?? 0) * (ttlMs < 0 ? AUDIT_HOURS : ttlMs / HOUR_MS)
  }
  return sum
}
