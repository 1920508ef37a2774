import { setTimeout as delay } from "node:timers/promises"
import type { Redis } from "ioredis"
import { unpackEntries } from "../../../src/redis/archive/audit-columns.ts"
import { unpackJobs } from "../../../src/redis/archive/job-columns.ts"
import { KEEP_MS, keys } from "../../../src/redis/keys.ts"

const HOUR_MS = 3_600_000
/** How long the audit is kept. */
export const AUDIT_HOURS = 90 * 24
/** How long ended jobs are kept. */
export const KEPT_HOURS = KEEP_MS / HOUR_MS
/** Until they are packed where 100 of a project end in an hour, on average. */
const ALONE_HOURS = { kept: 1.6, audit: 3.2 }

const KEPT_PACKS = keys.jobPack("").replace(/pack:$/, "")
const KINDS = {
  kept: [keys.job(""), keys.prompt(""), keys.thread("", "").slice(0, -1)],
  audit: [keys.audit(""), keys.auditWords(""), keys.auditsOf("")],
  packs: [KEPT_PACKS, keys.auditPack(""), keys.auditPacks],
}
const isOf = (kind: keyof typeof KINDS, key: string) =>
  KINDS[kind].some((prefix) => key.startsWith(prefix))

/**
 * How much Redis keeps of everything that is never packed, times how long: bytes x hours. At a steady
 * rate of jobs an hour that is what they take in the end, whichever of their keys lives for minutes and
 * which for weeks. What has no time of its own to live is there once, however many jobs there are.
 */
export async function byteHours(redis: Redis): Promise<number> {
  let sum = 0
  for await (const names of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>) {
    const each = await Promise.all(
      names
        .filter(
          (name) => !Object.keys(KINDS).some((kind) => isOf(kind as keyof typeof KINDS, name)),
        )
        .map(async (key) => [await redis.memory("USAGE", key), await redis.pttl(key)] as const),
    )
    for (const [bytes, ttlMs] of each) sum += (bytes ?? 0) * Math.max(0, ttlMs / HOUR_MS)
  }
  return sum
}

/** Bytes x hours of one job, or of one entry of the audit, until it is packed: from those that are not yet. */
export async function aloneByteHours(redis: Redis, kind: "kept" | "audit"): Promise<number> {
  const names = (await redis.keys("*")).filter((name) => isOf(kind, name) && !isOf("packs", name))
  const each = await Promise.all(names.map((key) => redis.memory("USAGE", key)))
  const count = names.filter((name) => name.startsWith(KINDS[kind][0] ?? "")).length
  const bytes = each.reduce<number>((sum, size) => sum + Number(size ?? 0), 0)
  return (bytes / Math.max(1, count)) * ALONE_HOURS[kind]
}

async function packsIn(redis: Redis, packs: string): Promise<string[]> {
  let ids: string[] = []
  while (ids.length === 0) {
    await delay(200)
    ids = await redis.zrange(packs, "0", "-1")
  }
  return ids
}

/** Bytes of a packed job, with where it stands which pack it is in; once there is a pack. */
export async function keptBytes(redis: Redis): Promise<number> {
  let [bytes, jobs] = [0, 0]
  for (const id of await packsIn(redis, keys.jobPacks))
    jobs += (await unpackJobs(id, (await redis.getBuffer(keys.jobPack(id))) ?? Buffer.of())).length
  for (const key of await redis.keys(`${KEPT_PACKS}*`))
    bytes += Number(await redis.memory("USAGE", key))
  return bytes / jobs
}

/** Bytes of a packed entry of the audit, once there is a pack. */
export async function auditBytes(redis: Redis): Promise<number> {
  const ids = await packsIn(redis, keys.auditPacks)
  let [bytes, entries] = [Number(await redis.memory("USAGE", keys.auditPacks)), 0]
  for (const id of ids) {
    const pack = keys.auditPack(id)
    bytes += Number(await redis.memory("USAGE", pack))
    entries += (await unpackEntries(id, (await redis.getBuffer(pack)) ?? Buffer.of())).length
  }
  return bytes / entries
}
