import { z } from "zod"
import type { PlaceOf } from "../messages/refusals.ts"
import type { Clock } from "../runtime/time.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { key } from "../store/keys.ts"
import { flagField, jsonField, numberField } from "../store/record.ts"
import type { Store } from "../store/script.ts"
import { type Watch, watch } from "./alerts.ts"
import { type Digest, digest, every } from "./digest.ts"
import { createLeasedRecords, type Leased, type OnBroken } from "./leased-records.ts"

type ScheduledPosts = ReturnType<typeof createScheduledPosts>

export interface Place {
  team: string
  channel: string
}

/** The dependencies for changing a channel's digests and alerts. */
export interface ChannelDeps {
  posts: ScheduledPosts
  outbound: Outbound
  now: Clock
  nameOf: (project: string) => string
  placeOf: PlaceOf
}

/** A digest of a channel, or all of its alerts. */
const post = z.object({
  v: z.literal("1"),
  team: z.string(),
  channel: z.string(),
  digest: z.exactOptional(jsonField(digest)),
  watches: jsonField(z.array(watch)).default([]),
  /** When its next post is due, ms; stored here because the schedule's score may be a lease. */
  due: numberField,
  /** The number of failed tries since then. */
  tries: numberField.default(0),
  /** Set once a worker began to post; while it is set, nobody knows how that ended. */
  begun: z.exactOptional(flagField),
})
export type ClaimedPost = Leased<z.infer<typeof post>>

type NamedDigest = Place & { rhythm: Pick<Digest["rhythm"], "every"> }

/** Builds a digest's id; each channel has at most one digest per rhythm. */
const digestId = ({ team, channel, rhythm }: NamedDigest) =>
  `digest:${team}:${channel}:${rhythm.every}`
const alertsId = ({ team, channel }: Place) => `alerts:${team}:${channel}`

/** Keeps the digests and alerts that channels get on schedule. */
export function createScheduledPosts(store: Store, onBroken: OnBroken) {
  const schedule = key("v", "post", "due")
  const recordPrefix = `${key("v", "post")}:`
  const records = createLeasedRecords(store, { shape: post, schedule, recordPrefix }, onBroken)
  const { find, change, settle, dropped } = records
  /** Returns the write that sets when a post is next due. */
  const dueAt = (id: string, due: number, set: object) => ({
    set: { ...set, due, tries: undefined, begun: undefined },
    ops: [{ do: "score", key: schedule, member: id, score: due } as const],
  })

  return {
    schedule,
    claim: (leaseMs: number) => records.claim(leaseMs),

    /** @returns the digest that this one replaces */
    async saveDigest(wanted: Digest, due: number): Promise<Digest | undefined> {
      const { team, channel } = wanted
      const id = digestId(wanted)
      const written = dueAt(id, due, { v: "1", team, channel, digest: wanted })
      return change(id, (was) => ({ ...written, result: was?.digest }))
    },

    /** @returns the removed digest */
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

    /** @returns the watches before and after. Of several people at the same moment only one changes them */
    async changeWatches(
      place: Place,
      due: number,
      decide: (was: readonly Watch[]) => readonly Watch[],
    ): Promise<{ was: readonly Watch[]; now: readonly Watch[] }> {
      const id = alertsId(place)
      const { team, channel } = place
      const changed = await change(id, (record) => {
        const was = record?.watches ?? []
        const now = decide(was)
        const result = { was, now }
        if (now.length === was.length) return { result }
        if (now.length === 0) return { ops: dropped(id), result }
        if (record) return { set: { watches: now }, result }
        return { ...dueAt(id, due, { v: "1", team, channel, watches: now }), result }
      })
      return changed ?? { was: [], now: [] }
    },

    /** Stores that a worker begins to post. Returns false if the lease is lost. */
    begin: (claimed: ClaimedPost) => settle(claimed, { set: { begun: "1" } }),

    /** Schedules another try. @param begun true if Slack may have the post, so that the next try looks for it first */
    async again(claimed: ClaimedPost, inMs: number, begun = false): Promise<void> {
      const set = { tries: claimed.record.tries + 1, begun: begun ? "1" : undefined }
      const ops = [{ do: "settle", key: schedule, member: claimed.id, inMs } as const]
      await settle(claimed, { set, ops })
    },

    async done(claimed: ClaimedPost, next: number): Promise<void> {
      await settle(claimed, dueAt(claimed.id, next, {}))
    },

    /** Ends a digest, or all alerts of a channel, for good. */
    async end(claimed: ClaimedPost): Promise<void> {
      await settle(claimed, { ops: dropped(claimed.id) })
    },
  }
}
