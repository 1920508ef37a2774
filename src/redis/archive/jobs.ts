import { hash } from "node:crypto"
import { threadOf } from "../../jobs/job.ts"
import { ignoreBroken, readable, typed } from "../broken.ts"
import { idSource } from "../id-source.ts"
import { toJob } from "../job-record.ts"
import { KEEP_MS, keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"
import type { StoreOptions } from "../store-options.ts"
import { type ArchivedJob, packJobs, unpackJobs } from "./job-columns.ts"
import { packsOf, replaceJobPack, restoreJob } from "./jobs.lua.ts"
import { createPacks, forgetInEach } from "./packs.ts"

export const JOB_PACKS = { keyOf: keys.jobPack, pack: packJobs, unpack: unpackJobs }

const DAY_MS = 86_400_000
/** Days on which a pack can have been made that is still kept: the first and the last in part. */
export const DAYS_BACK = KEEP_MS / DAY_MS + 1

/** Where the index says which pack a job is in: a number that chooses the key, and the field. */
export type Address = readonly [number, string | number]

export const addressOfJob = (id: string): Address => [digits(id)[0], id]
/** By some digits, as its name is long; the jobs of the pack say which thread they are of. */
export const addressOfThread = (channel: string, root: string): Address =>
  digits(`${channel} ${root}`)

function digits(name: string): [number, number] {
  const hex = hash("sha1", name, "hex")
  return [Number.parseInt(hex.slice(0, 7), 16), Number.parseInt(hex.slice(7, 14), 16)]
}

export type JobArchive = ReturnType<typeof createJobArchive>

/**
 * Ended jobs about which everything was said a while ago. They are read where they are, and become records
 * of their own again before something about them changes.
 */
export function createJobArchive(
  redis: RedisClient,
  { onBroken = ignoreBroken, now }: StoreOptions = {},
) {
  const on = { redis, now }
  const newId = idSource()
  const packs = createPacks(redis, JOB_PACKS, onBroken)

  async function packIds(addresses: readonly Address[]): Promise<string[]> {
    if (addresses.length === 0) return []
    const args = { daysBack: DAYS_BACK, indexPrefix: keys.jobPackIndex("") }
    return packsOf(on, { days: keys.jobPackDays }, args, addresses.flat())
  }

  /** How often a pack was rewritten: read before the pack, so that no later one passes for it. */
  const rewritesOf = async (id: string) =>
    (await typed(keys.jobPack(id), redis.get(keys.jobPackRewrites(id)), onBroken)) ?? "0"

  /** Undefined for each that is in no pack. */
  async function find(ids: readonly string[]): Promise<(ArchivedJob | undefined)[]> {
    const found = await packIds(ids.map(addressOfJob))
    const known = new Map<string, ArchivedJob>()
    for (const id of new Set(found.filter(Boolean)))
      for (const job of await packs.readable(id)) known.set(`${id} ${job.id}`, job)
    return ids.map((id, n) => known.get(`${found[n]} ${id}`))
  }

  /** The job that a thread led to when it was packed. */
  async function inThread(channel: string, root: string): Promise<ArchivedJob | undefined> {
    const [id] = await packIds([addressOfThread(channel, root)])
    const jobs = id ? await packs.readable(id) : []
    const ofThread = jobs.filter(({ hash }) => {
      return hash.channel === channel && (hash.thread ?? hash.card) === root
    })
    return ofThread.toSorted((a, b) => Number(a.hash.at) - Number(b.hash.at)).at(-1)
  }

  /** One attempt; false where somebody was forgotten between the reading and the writing. */
  async function tryToRestore(id: string): Promise<boolean> {
    const [pack] = await packIds([addressOfJob(id)])
    if (!pack) return true
    const rewrites = await rewritesOf(pack)
    const archived = (await packs.readable(pack)).find((one) => one.id === id)
    if (!archived) return true
    const job = readable(keys.jobPack(pack), () => toJob(id, archived.hash), onBroken)
    if (!job) return true
    const root = threadOf(job) ?? ""
    const leads = (await inThread(job.channel, root))?.id === id
    const from = {
      pack: keys.jobPack(pack),
      rewritten: keys.jobPackRewrites(pack),
      job: keys.job(id),
      prompt: keys.prompt(id),
      thread: keys.thread(job.channel, root),
      ended: keys.ended,
    }
    const args = { id, rewrites, words: archived.prompt ?? "", leads: leads ? 1 : "" }
    return (await restoreJob(on, from, args, Object.entries(archived.hash).flat())) === 1
  }

  /** False where the pack was rewritten since it was read. */
  async function replace(id: string, jobs: readonly ArchivedJob[], rewrites: string) {
    const other = newId()
    const from = {
      pack: keys.jobPack(id),
      other: keys.jobPack(other),
      rewritten: keys.jobPackRewrites(id),
    }
    return packs.write(other, jobs, () => replaceJobPack(on, from, { rewrites }))
  }

  return {
    find,
    inThread,

    /** Makes a packed job a record of its own again; does nothing to any other. */
    async restore(id: string): Promise<void> {
      if ((await redis.exists(keys.job(id))) === 1) return
      while (!(await tryToRestore(id)));
    },

    /** Takes a person's words out of every pack. @throws RecordError where one cannot be read */
    forget: (user: string) =>
      forgetInEach(
        () => redis.zrange(keys.jobPacks, "0", "-1"),
        async (id) => {
          const rewrites = await rewritesOf(id)
          const jobs = await packs.read(id)
          if (!jobs?.some(({ hash }) => hash.user === user)) return true
          return replace(id, without(user, jobs), rewrites)
        },
      ),
  }
}

function without(user: string, jobs: readonly ArchivedJob[]): ArchivedJob[] {
  return jobs.map((job) =>
    job.hash.user === user ? { id: job.id, hash: { ...job.hash, forgotten: "1" } } : job,
  )
}
