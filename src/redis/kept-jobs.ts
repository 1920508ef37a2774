import { hash } from "node:crypto"
import { threadOf } from "../jobs/job.ts"
import { ignoreBroken, type OnBroken, readable, typed } from "./broken.ts"
import { idSource } from "./id-source.ts"
import { toJob } from "./job-record.ts"
import { packsOf, replaceKept, restoreKept } from "./kept.lua.ts"
import { type KeptJob, packJobs, unpackJobs } from "./kept-pack.ts"
import { KEEP_MS, keys } from "./keys.ts"
import { RecordError } from "./record.ts"
import type { Now, RedisClient } from "./script.ts"

const DAY_MS = 86_400_000
/** Days on which a pack can have been made that is still kept: the first and the last in part. */
export const DAYS_BACK = KEEP_MS / DAY_MS + 1
/** What is written for a pack and does not come to stand in it is gone after this, ms. */
export const UNPLACED_MS = 60_000

/** Where it stands which pack a job is in: a number that chooses the key, and the field. */
export type Place = readonly [number, string | number]

export const placeOfJob = (id: string): Place => [digits(id)[0], id]
/** By some digits, as its name is long; the jobs of the pack say which thread they are of. */
export const placeOfThread = (channel: string, root: string): Place => digits(`${channel} ${root}`)

function digits(name: string): [number, number] {
  const hex = hash("sha1", name, "hex")
  return [Number.parseInt(hex.slice(0, 7), 16), Number.parseInt(hex.slice(7, 14), 16)]
}

export type KeptJobs = ReturnType<typeof createKeptJobs>

/**
 * Ended jobs of which all was said a while ago, some hundred in one compressed value: they are read where they
 * are, and become records of their own again before something about them changes.
 */
export function createKeptJobs(
  redis: RedisClient,
  { onBroken = ignoreBroken, now }: { onBroken?: OnBroken; now?: Now } = {},
) {
  const on = { redis, now }
  const newId = idSource()

  async function packs(places: readonly Place[]): Promise<string[]> {
    if (places.length === 0) return []
    const args = { daysBack: DAYS_BACK, keptInPrefix: keys.keptIn("") }
    return packsOf(on, { days: keys.keptDays }, args, places.flat())
  }

  /** Undefined when it is gone. `rewrites`: read before, so that no later one passes for it. @throws RecordError */
  async function strictly(id: string): Promise<{ jobs: KeptJob[]; rewrites: string } | undefined> {
    const key = keys.keptPack(id)
    const [rewrites, bytes] = [
      await typed(key, redis.get(keys.keptRewritten(id)), onBroken),
      await typed(key, redis.getBuffer(key), onBroken),
    ]
    return bytes ? { jobs: await unpackJobs(id, bytes), rewrites: rewrites ?? "0" } : undefined
  }

  async function read(id: string) {
    try {
      return await strictly(id)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      onBroken(keys.keptPack(id), error)
      return undefined
    }
  }

  /** Undefined for each that is in no pack. */
  async function find(ids: readonly string[]): Promise<(KeptJob | undefined)[]> {
    const found = await packs(ids.map(placeOfJob))
    const known = new Map<string, KeptJob>()
    for (const id of new Set(found.filter(Boolean)))
      for (const job of (await read(id))?.jobs ?? []) known.set(`${id} ${job.id}`, job)
    return ids.map((id, n) => known.get(`${found[n]} ${id}`))
  }

  /** The job that a thread led to when it was packed. */
  async function inThread(channel: string, root: string): Promise<KeptJob | undefined> {
    const [id] = await packs([placeOfThread(channel, root)])
    const jobs = id ? ((await read(id))?.jobs ?? []) : []
    const ofThread = jobs.filter(({ hash }) => {
      return hash.channel === channel && (hash.thread ?? hash.card) === root
    })
    return ofThread.toSorted((a, b) => Number(a.hash.at) - Number(b.hash.at)).at(-1)
  }

  /** One attempt; false where somebody was forgotten between the reading and the writing. */
  async function tryToRestore(id: string): Promise<boolean> {
    const [pack] = await packs([placeOfJob(id)])
    const found = pack ? await read(pack) : undefined
    const kept = found?.jobs.find((one) => one.id === id)
    if (!(pack && found && kept)) return true
    const job = readable(keys.keptPack(pack), () => toJob(id, kept.hash), onBroken)
    if (!job) return true
    const root = threadOf(job) ?? ""
    const leads = (await inThread(job.channel, root))?.id === id
    const from = {
      pack: keys.keptPack(pack),
      rewritten: keys.keptRewritten(pack),
      job: keys.job(id),
      prompt: keys.prompt(id),
      thread: keys.thread(job.channel, root),
      ended: keys.ended,
    }
    const args = { id, rewrites: found.rewrites, words: kept.prompt ?? "", leads: leads ? 1 : "" }
    return (await restoreKept(on, from, args, Object.entries(kept.hash).flat())) === 1
  }

  async function write(id: string, jobs: readonly KeptJob[], rewrites: string): Promise<boolean> {
    const [pack, other] = [keys.keptPack(id), keys.keptPack(newId())]
    await redis.set(other, await packJobs(jobs), "PX", UNPLACED_MS)
    const from = { pack, other, rewritten: keys.keptRewritten(id) }
    const isWritten = (await replaceKept(on, from, { rewrites })) === 1
    if (!isWritten) await redis.del(other)
    return isWritten
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
    async forget(user: string): Promise<void> {
      const known = new Set<string>()
      const left = async () =>
        (await redis.zrange(keys.keptPacks, "0", "-1")).filter((id) => !known.has(id))
      // What is packed meanwhile is looked at as well.
      for (let some = await left(); some.length > 0; some = await left()) {
        for (const id of some) {
          const found = await strictly(id)
          const isTheirs = found?.jobs.some(({ hash }) => hash.user === user)
          if (!found || !isTheirs || (await write(id, without(user, found.jobs), found.rewrites)))
            known.add(id)
        }
      }
    },
  }
}

function without(user: string, jobs: readonly KeptJob[]): KeptJob[] {
  return jobs.map((job) =>
    job.hash.user === user ? { id: job.id, hash: { ...job.hash, forgotten: "1" } } : job,
  )
}
