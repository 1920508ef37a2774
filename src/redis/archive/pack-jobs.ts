import type { PackTimes } from "../../config/timing.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { KEEP_MS, keys } from "../keys.ts"
import type { Now, RedisClient } from "../script.ts"
import type { ArchivedJob } from "./job-columns.ts"
import { beginPackingJobs, placeJobPack } from "./jobs.lua.ts"
import { addressOfJob, addressOfThread, DAYS_BACK, JOB_PACKS } from "./jobs.ts"
import { createPacks } from "./packs.ts"

const DAY_MS = 86_400_000
/** Jobs of a pack: more compress little better, and all are read for one of them. */
const MOST = 500
/** Where fewer than that end in this time, they are packed all the same, ms. A pack is gone with its oldest. */
const SPAN_MS = 3 * 3_600_000
/** bytes; longer words stay in a key of their own, where they count against what is kept of one person. */
const LONGEST_WORDS = 4096

/** What was read of a job that stands alone. */
interface Alone extends ArchivedJob {
  said: string
  leftMs: number
}

/** Packs ended jobs that have come to rest; true while there are more. */
export function jobPacking(
  redis: RedisClient,
  { restMs, afterMs, few, now }: PackTimes & { now?: Now },
): () => Promise<boolean> {
  const on = { redis, now }
  const packs = createPacks(redis, JOB_PACKS, ignoreBroken)
  const from = { from: keys.jobPacksFrom, packs: keys.jobPacks, ended: keys.ended }
  const slackMs = SPAN_MS + 2 * restMs

  async function readAlone(id: string): Promise<Alone | undefined> {
    const [hash, words, leftMs] = await Promise.all([
      typed(keys.job(id), redis.hgetall(keys.job(id)), ignoreBroken),
      typed(keys.prompt(id), redis.get(keys.prompt(id)), ignoreBroken),
      redis.pttl(keys.job(id)),
    ])
    if (!hash || Object.keys(hash).length === 0) return undefined
    const said = [...Object.entries(hash).flat(), words ?? ""].join("\n")
    const isShort = words && Buffer.byteLength(words) <= LONGEST_WORDS
    return { id, hash, said, leftMs, ...(isShort ? { prompt: words } : {}) }
  }

  /** A pack is gone when the first of its jobs would be, so it takes none that would be long before the others. */
  function isToBePacked({ hash, leftMs }: Alone): boolean {
    const isDue = leftMs > KEEP_MS - slackMs && leftMs <= KEEP_MS
    // The words of a cancelled one are gone before it, and a pull request that is followed changes its jobs.
    return isDue && hash.state === "ended" && hash.ending !== "cancelled" && !hash.pull
  }

  async function place(jobs: readonly Alone[], at: number): Promise<void> {
    const id = String(await redis.hincrby(keys.jobPackDays, "packs", 1))
    const { outbox, previews, ended, jobPackDays: days, jobPacks } = keys
    const own = { pack: keys.jobPack(id), packs: jobPacks, ended, outbox, previews, days }
    const args = {
      id,
      day: Math.floor(at / DAY_MS),
      leftMs: Math.min(...jobs.map(({ leftMs }) => leftMs)),
      daysMs: (DAYS_BACK + 1) * DAY_MS,
      jobPrefix: keys.job(""),
      promptPrefix: keys.prompt(""),
      indexPrefix: keys.jobPackIndex(""),
    }
    const threads = jobs.map(
      ({ hash }) => [hash.channel ?? "", hash.thread ?? hash.card ?? ""] as const,
    )
    const each = jobs.flatMap(({ id, said, prompt }, n) => {
      const [byId] = addressOfJob(id)
      return [id, said, prompt ? 1 : "", byId, ...addressOfThread(...(threads[n] ?? ["", ""]))]
    })
    const threadKeys = threads.map(([channel, root]) => keys.thread(channel, root))
    await packs.write(id, jobs, () => placeJobPack(on, own, args, each, threadKeys))
  }

  return async () => {
    const args = { afterMs, restMs, spanMs: SPAN_MS, few, most: MOST }
    const [at, ids] = await beginPackingJobs(on, from, args)
    if (ids.length === 0) return false
    const found = await Promise.all(ids.map(readAlone))
    const jobs = found.filter((job) => job !== undefined).filter(isToBePacked)
    const packed = new Set(jobs.map(({ id }) => id))
    // They stay what they are until they are gone, or have something to say once more.
    const others = ids.filter((id) => !packed.has(id))
    if (others.length > 0) await redis.zrem(keys.ended, ...others)
    if (jobs.length > 0) await place(jobs, at)
    return true
  }
}
