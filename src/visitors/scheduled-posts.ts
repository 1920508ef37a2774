import { z } from "zod"
import { jsonField, numberField } from "../store/record.ts"
import type { Store } from "../store/script.ts"
import { type Watch, watchedKinds } from "./alerts.ts"
import { type Digest, digest, every } from "./digest.ts"
import { type Claim, createScheduledRecords, type OnBroken } from "./scheduled-records.ts"

export type ScheduledPosts = ReturnType<typeof createScheduledPosts>

interface Place {
  team: string
  channel: string
}

const watch = z.object({
  project: z.string(),
  of: z.enum(watchedKinds),
  filter: z.exactOptional(z.string()),
  user: z.string(),
})

/** A digest of a channel, or its alerts. */
const post = z.object({
  v: z.literal("1"),
  team: z.string(),
  channel: z.string(),
  digest: z.exactOptional(jsonField(digest)),
  watches: jsonField(z.array(watch)).default([]),
  /** When its next post is due, ms: the schedule holds leases as well. */
  due: numberField,
})
type Post = z.infer<typeof post>

export type ClaimedPost = Claim<Post>

type NamedDigest = Place & { rhythm: Pick<Digest["rhythm"], "every"> }

/** One channel has at most one digest of each rhythm, so its names are the id. */
const digestId = ({ team, channel, rhythm }: NamedDigest) =>
  `digest:${team}:${channel}:${rhythm.every}`
const alertsId = ({ team, channel }: Place) => `alerts:${team}:${channel}`

/** Keeps what channels get by a schedule: digests and alerts. */
export function createScheduledPosts(store: Store, onBroken: OnBroken) {
  const records = createScheduledRecords(store, "post", post, onBroken)
  const { schedule, change, dropped } = records
  const base = ({ team, channel }: Place, due: number) => ({ v: "1", team, channel, due: `${due}` })
  const dueAt = (id: string, score: number) =>
    [{ do: "score", key: schedule, member: id, score }] as const
  const isSame = (one: Watch, other: Watch) =>
    one.project === other.project && one.of === other.of && one.filter === other.filter

  return {
    schedule,

    /** @returns the digest that it takes the place of */
    async saveDigest(wanted: Digest, due: number): Promise<Digest | undefined> {
      const id = digestId(wanted)
      const set = { ...base(wanted, due), digest: JSON.stringify(wanted) }
      const ops = dueAt(id, due)
      return change(id, (was) => ({ set, unset: ["tries", "begun"], ops, result: was?.digest }))
    },

    /** @returns what was removed */
    async removeDigest(of: NamedDigest): Promise<Digest | undefined> {
      const id = digestId(of)
      return change(id, (was) =>
        was ? { ops: dropped(id), result: was.digest } : { result: undefined },
      )
    },

    async digests(place: Place): Promise<Digest[]> {
      const ids = every.map((kind) => digestId({ ...place, rhythm: { every: kind } }))
      const found = await Promise.all(ids.map((id) => records.find(id)))
      return found.flatMap((one) => one?.digest ?? [])
    },

    async watches(place: Place): Promise<Watch[]> {
      return (await records.find(alertsId(place)))?.watches ?? []
    },

    /** @returns those that were not watched before: of several people at the same moment one adds it */
    async addWatches(place: Place, wanted: readonly Watch[], due: number): Promise<Watch[]> {
      const id = alertsId(place)
      const added = await change(id, (was) => {
        const before = was?.watches ?? []
        const fresh = wanted.filter((one) => !before.some((other) => isSame(one, other)))
        if (fresh.length === 0) return { result: fresh }
        const watches = JSON.stringify([...before, ...fresh])
        if (was) return { set: { watches }, result: fresh }
        return { set: { ...base(place, due), watches }, ops: dueAt(id, due), result: fresh }
      })
      return added ?? []
    },

    /** @returns those that were still watched */
    async removeWatches(place: Place, ended: readonly Watch[]): Promise<Watch[]> {
      const id = alertsId(place)
      const removed = await change(id, (was) => {
        const before = was?.watches ?? []
        const isEnded = (one: Watch) => ended.some((other) => isSame(one, other))
        const left = before.filter((one) => !isEnded(one))
        const result = before.filter(isEnded)
        if (result.length === 0) return { result }
        return left.length === 0
          ? { ops: dropped(id), result }
          : { set: { watches: JSON.stringify(left) }, result }
      })
      return removed ?? []
    },

    claim: (leaseMs: number) => records.claim(leaseMs),
    untilDue: () => records.untilDue(),
    begin: (claimed: ClaimedPost) => records.begin(claimed),
    again: (claimed: ClaimedPost, afterMs: number, begun = false) =>
      records.again(claimed, afterMs, begun),

    async done(claimed: ClaimedPost, next: number): Promise<void> {
      await records.next(claimed, next, { due: `${next}` })
    },

    /** Ends a digest, or all alerts of a channel, for good. */
    end: (claimed: ClaimedPost) => records.end(claimed),
  }
}
