import { setTimeout as delay } from "node:timers/promises"
import type { Redis } from "ioredis"
import { unpackEntries } from "../../../src/redis/audit/pack-format.ts"
import { keys } from "../../../src/redis/keys.ts"

const HOUR_MS = 3_600_000
/** How long the audit is kept. */
export const AUDIT_HOURS = 90 * 24
/** What has no time of its own to live is there once, however many jobs there are. */
const isAudit = (key: string) => key.startsWith(keys.audit("").replace(/:$/, ""))

/**
 * How much Redis keeps of everything, times how long: bytes x hours. At a steady rate of jobs an hour
 * that is what they take in the end, whichever of their keys lives for minutes and which for weeks. The
 * audit is counted for itself: some hundred entries are packed together.
 */
export async function byteHours(redis: Redis): Promise<number> {
  let sum = 0
  for await (const names of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>) {
    const each = await Promise.all(
      names
        .filter((name) => !isAudit(name))
        .map(async (key) => [await redis.memory("USAGE", key), await redis.pttl(key)] as const),
    )
    for (const [bytes, ttlMs] of each) sum += (bytes ?? 0) * Math.max(0, ttlMs / HOUR_MS)
  }
  return sum
}

/** Bytes of a packed entry of the audit, once there is a pack. */
export async function auditBytes(redis: Redis): Promise<number> {
  let ids: string[] = []
  while (ids.length === 0) {
    await delay(200)
    ids = await redis.zrange(keys.auditPacks, "0", "-1")
  }
  let [bytes, entries] = [Number(await redis.memory("USAGE", keys.auditPacks)), 0]
  for (const id of ids) {
    const pack = keys.auditPack(id)
    bytes += Number(await redis.memory("USAGE", pack))
    entries += (await unpackEntries(id, (await redis.getBuffer(pack)) ?? Buffer.of())).length
  }
  return bytes / entries
}
