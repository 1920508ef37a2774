import { z } from "zod"
import { type Watch, watchedKinds } from "../../visitors/alerts.ts"
import { type Digest, digest, every } from "../../visitors/digest.ts"
import { ignoreBroken } from "../broken.ts"
import { called, type NamedStoreOptions, SAME_NAMES, stored } from "../projects/names.ts"
import { RecordError, recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { type Claim, createSchedule } from "./schedule.ts"

export type ScheduledPosts = ReturnType<typeof createScheduledPosts>

interface Place {
  team: string
  channel: string
}

/** A digest that is due, or the alerts of a channel. */
export interface ClaimedPost extends Claim {
  place: Place
  digest?: Digest
  watches: Watch[]
}

type NamedDigest = Place & { rhythm: Pick<Digest["rhythm"], "every"> }

const digestCodec = recordCodec(1, digest)
/** One field of a channel's hash: what is watched, beside who turned it on. */
const watched = z.tuple([z.string(), z.enum(watchedKinds), z.string()])
const watchedCodec = recordCodec(1, watched)

/** One channel has at most one digest of each rhythm, so its names are the id. */
const digestId = ({ team, channel, rhythm }: NamedDigest) =>
  `digest:${team}:${channel}:${rhythm.every}`
const alertsId = ({ team, channel }: Place) => `alerts:${team}:${channel}`

/** What channels get by a schedule, durable: their digests, and what they are alerted to. */
export function createScheduledPosts(
  redis: RedisClient,
  { names = SAME_NAMES, onBroken = ignoreBroken, now }: NamedStoreOptions = {},
) {
  const schedule = createSchedule(redis, { due: keys.postsDue, work: keys.postsWork }, now)

  async function readDigest(text: string | null): Promise<Digest | undefined> {
    const found = digestCodec.read(text)
    return found && called(await names(), found)
  }

  async function watchesOf(id: string): Promise<Watch[]> {
    const known = await names()
    const fields = await redis.hgetall(keys.post(id))
    return Object.entries(fields).flatMap(([field, user]) => {
      const found = watchedCodec.read(field)
      if (!found) onBroken(keys.post(id), new RecordError(`An alert of ${id} cannot be read.`))
      if (!found) return []
      const [project, of, filter] = found
      return called(known, { project, of, user, ...(filter === "" ? {} : { filter }) })
    })
  }

  async function fieldOf(watch: Watch): Promise<string> {
    const { project, of, filter = "" } = stored(await names(), watch)
    return watchedCodec.write([project, of, filter])
  }

  return {
    /** @returns the digest that it takes the place of */
    async saveDigest(wanted: Digest, dueAt: number): Promise<Digest | undefined> {
      const id = digestId(wanted)
      const record = digestCodec.write(stored(await names(), wanted))
      const before = await readDigest(await redis.set(keys.post(id), record, "GET"))
      await schedule.put(id, dueAt)
      return before
    },

    /** @returns what was removed */
    async removeDigest(of: NamedDigest): Promise<Digest | undefined> {
      const removed = await readDigest(await redis.getdel(keys.post(digestId(of))))
      await schedule.remove(digestId(of))
      return removed
    },

    async digests(place: Place): Promise<Digest[]> {
      const ids = every.map((kind) => digestId({ ...place, rhythm: { every: kind } }))
      const texts = await redis.mget(ids.map((id) => keys.post(id)))
      const found = await Promise.all(texts.map(readDigest))
      return found.filter((one) => one !== undefined)
    },

    watches: (place: Place): Promise<Watch[]> => watchesOf(alertsId(place)),

    /** @returns those that were not watched before: of several people at the same moment one adds it */
    async addWatches(place: Place, wanted: readonly Watch[], dueAt: number): Promise<Watch[]> {
      const id = alertsId(place)
      const added: Watch[] = []
      for (const watch of wanted)
        if ((await redis.hsetnx(keys.post(id), await fieldOf(watch), watch.user)) === 1)
          added.push(watch)
      if (added.length > 0) await redis.zadd(keys.postsDue, "NX", dueAt, id)
      return added
    },

    /** @returns those that were still watched */
    async removeWatches(place: Place, ended: readonly Watch[]): Promise<Watch[]> {
      const id = alertsId(place)
      const removed: Watch[] = []
      for (const watch of ended)
        if ((await redis.hdel(keys.post(id), await fieldOf(watch))) === 1) removed.push(watch)
      if ((await redis.exists(keys.post(id))) === 0) await schedule.remove(id)
      return removed
    },

    /** What cannot be read comes back after its lease: another version may run beside this one. */
    async claim(leaseMs: number): Promise<ClaimedPost | undefined> {
      const claim = await schedule.claim(leaseMs)
      if (!claim) return undefined
      const [kind, team = "", channel = ""] = claim.id.split(":")
      const key = keys.post(claim.id)
      const place = { team, channel }
      if (kind === "alerts") return { ...claim, place, watches: await watchesOf(claim.id) }
      const found = await readDigest(await redis.get(key))
      if (found) return { ...claim, place, watches: [], digest: found }
      onBroken(key, new RecordError(`The stored ${claim.id} cannot be read.`))
      return undefined
    },

    untilDue: () => schedule.untilDue(),
    begin: (claim: ClaimedPost) => schedule.begin(claim),

    /** @param begun it may have been posted: then it is looked for first */
    async again(claim: ClaimedPost, afterMs: number, { begun }: { begun: boolean }) {
      await schedule.again(claim, afterMs, begun)
    },

    async done(claim: ClaimedPost, next: number) {
      await schedule.next(claim, next)
    },

    /** Ends a digest, or all alerts of a channel, for good. */
    async end(claim: ClaimedPost) {
      if (await schedule.end(claim)) await redis.del(keys.post(claim.id))
    },
  }
}
