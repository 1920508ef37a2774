import { z } from "zod"
import type { PlaceOf } from "../messages/refusals.ts"
import type { Clock } from "../runtime/time.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { currentTime } from "../store/clock.ts"
import { commit, type Op, read } from "../store/commit.ts"
import { key } from "../store/keys.ts"
import { flagField, jsonField, numberField, parseRecord, RecordError } from "../store/record.ts"
import { claim } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"
import { type Watch, watch } from "./alerts.ts"
import { type Digest, digest, every } from "./digest.ts"

type ScheduledPosts = ReturnType<typeof createScheduledPosts>

export interface Place {
  team: string
  channel: string
}

/** Dependencies of changing a channel's digests and alerts. */
export interface ChannelDeps {
  posts: ScheduledPosts
  outbound: Outbound
  now: Clock
  nameOf: (project: string) => string
  placeOf: PlaceOf
}

/** A digest of a channel, or its alerts. */
const post = z.object({
  v: z.literal("1"),
  team: z.string(),
  channel: z.string(),
  digest: z.exactOptional(jsonField(digest)),
  watches: jsonField(z.array(watch)).default([]),
  /** When its next post is due, ms: the schedule holds leases as well. */
  due: numberField,
  /** Tries that failed since then. */
  tries: numberField.default(0),
  /** A post was begun, and nobody wrote down how it ended. */
  begun: z.exactOptional(flagField),
})
type Post = z.infer<typeof post>

/** A post that is due, held by one process until its lease ends. `at`: when it was claimed, ms. */
export interface ClaimedPost {
  id: string
  lease: string
  at: number
  record: Post
}

/** Fields that a change sets and unsets, and what it does to the schedule. */
interface Change<R> {
  set?: Readonly<Record<string, string>>
  unset?: readonly string[]
  ops?: readonly Op[]
  result: R
}

type NamedDigest = Place & { rhythm: Pick<Digest["rhythm"], "every"> }

/** One channel has at most one digest of each rhythm, so its names are the id. */
const digestId = ({ team, channel, rhythm }: NamedDigest) =>
  `digest:${team}:${channel}:${rhythm.every}`
const alertsId = ({ team, channel }: Place) => `alerts:${team}:${channel}`

const schedule = key("v", "post", "due")
const recordPrefix = `${key("v", "post")}:`
/** Written with the next moment at which a post is due. */
const dueAgain = (id: string, dueAt: number) => ({
  unset: ["tries", "begun"],
  ops: [{ do: "score", key: schedule, member: id, score: dueAt }] as const,
})
const dropped = (id: string): Op[] => [
  { do: "leave", key: schedule, member: id },
  { do: "drop", key: recordPrefix + id },
]

/**
 * Keeps what channels get by a schedule: digests and alerts. A record that cannot be read comes back after
 * its lease: another version may run beside this one.
 */
export function createScheduledPosts(
  store: Store,
  onBroken: (key: string, error: unknown) => void,
) {
  function parsed(id: string, hash: Readonly<Record<string, string>>): Post | undefined {
    if (Object.keys(hash).length === 0) return undefined
    try {
      return parseRecord(post, `post ${id}`, hash)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      onBroken(recordPrefix + id, error)
      return undefined
    }
  }

  const find = async (id: string) =>
    parsed(id, (await read(store, { record: recordPrefix + id })).hash)

  /** Reads, decides and writes, again where somebody else wrote meanwhile. Undefined where the lease is lost. */
  async function change<R>(
    id: string,
    decide: (was: Post | undefined) => Change<R>,
    lease?: string,
  ): Promise<R | undefined> {
    const record = recordPrefix + id
    for (;;) {
      const { hash } = await read(store, { record })
      const { result, unset = [], ...wanted } = decide(parsed(id, hash))
      if (Object.keys(wanted).length === 0) return result
      const rev = hash.rev === undefined ? undefined : Number(hash.rev)
      const holding = lease && { lease: { key: schedule, member: id, lease } }
      const gone = Object.fromEntries(unset.map((name) => [name, undefined]))
      const set = { ...wanted.set, ...gone }
      const outcome = await commit(store, { record, rev, ...wanted, set, ...holding })
      if (outcome !== "stale") return outcome === "done" ? result : undefined
    }
  }

  /** Writes down what became of a claimed post. False where the lease is lost. */
  const settle = async ({ id, lease }: ClaimedPost, wanted: Omit<Change<true>, "result">) =>
    (await change(id, () => ({ ...wanted, result: true }), lease)) ?? false

  return {
    schedule,

    /** @returns the digest that it takes the place of */
    async saveDigest(wanted: Digest, due: number): Promise<Digest | undefined> {
      const { team, channel } = wanted
      const id = digestId(wanted)
      const set = { v: "1", team, channel, due: `${due}`, digest: JSON.stringify(wanted) }
      return change(id, (was) => ({ set, ...dueAgain(id, due), result: was?.digest }))
    },

    /** @returns what was removed */
    async removeDigest(of: NamedDigest): Promise<Digest | undefined> {
      const id = digestId(of)
      return change(id, (was) => ({ ...(was && { ops: dropped(id) }), result: was?.digest }))
    },

    async digests(place: Place): Promise<Digest[]> {
      const ids = every.map((kind) => digestId({ ...place, rhythm: { every: kind } }))
      return (await Promise.all(ids.map(find))).flatMap((one) => one?.digest ?? [])
    },

    async watches(place: Place): Promise<Watch[]> {
      return (await find(alertsId(place)))?.watches ?? []
    },

    /** @returns what was watched before, and what is now: of several people at the same moment one changes it */
    async changeWatches(
      place: Place,
      due: number,
      decide: (was: readonly Watch[]) => readonly Watch[],
    ): Promise<{ was: readonly Watch[]; now: readonly Watch[] }> {
      const id = alertsId(place)
      const changed = await change(id, (record) => {
        const was = record?.watches ?? []
        const now = decide(was)
        const result = { was, now }
        if (now.length === was.length) return { result }
        if (now.length === 0) return { ops: dropped(id), result }
        const watches = JSON.stringify(now)
        if (record) return { set: { watches }, result }
        const { team, channel } = place
        return {
          set: { v: "1", team, channel, due: `${due}`, watches },
          ...dueAgain(id, due),
          result,
        }
      })
      return changed ?? { was: [], now: [] }
    },

    async claim(leaseMs: number): Promise<ClaimedPost | undefined> {
      const limits = { limit: 1, leaseMs }
      const { now, lease, rows } = await claim(store, schedule, { recordPrefix }, limits)
      const [row] = rows
      const record = row && parsed(row.id, row.hash)
      return record && { id: row.id, lease, at: now, record }
    },

    /** Until the first one is due, ms; undefined when there is none. */
    async untilDue(): Promise<number | undefined> {
      const [, score] = await store.redis.zrange(schedule, "0", "0", "WITHSCORES")
      if (score === undefined) return undefined
      return Math.max(0, Number(score) - (await currentTime(store)))
    },

    /** Written down before a post. False where the lease is lost. */
    begin: (claimed: ClaimedPost) => settle(claimed, { set: { begun: "1" } }),

    /** @param begun it may have been posted: then it is looked for first */
    async again(claimed: ClaimedPost, inMs: number, begun = false): Promise<void> {
      const tries = `${claimed.record.tries + 1}`
      const marks = begun ? { set: { tries, begun: "1" } } : { set: { tries }, unset: ["begun"] }
      const ops: Op[] = [{ do: "settle", key: schedule, member: claimed.id, inMs }]
      await settle(claimed, { ...marks, ops })
    },

    async done(claimed: ClaimedPost, next: number): Promise<void> {
      await settle(claimed, { set: { due: `${next}` }, ...dueAgain(claimed.id, next) })
    },

    /** Ends a digest, or all alerts of a channel, for good. */
    async end(claimed: ClaimedPost): Promise<void> {
      await settle(claimed, { ops: dropped(claimed.id) })
    },
  }
}
