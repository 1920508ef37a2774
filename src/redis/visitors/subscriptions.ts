import { randomUUID } from "node:crypto"
import { z } from "zod"
import type { ClaimedDigest, Subscription, Subscriptions } from "../../visitors/digests/ports.ts"
import { every, isZone } from "../../visitors/digests/rhythm.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { untilFirst } from "../clock.ts"
import { called, type NamedStoreOptions, SAME_NAMES, stored } from "../projects/names.ts"
import { RecordError, recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { beginPost, claimPost, endPosts, settlePost } from "./scheduled-posts.lua.ts"
import { removeDigest, saveDigest } from "./subscriptions.lua.ts"

const codec = recordCodec<Subscription>(
  1,
  z.object({
    team: z.string(),
    channel: z.string(),
    project: z.string(),
    user: z.string(),
    zone: z.string().refine(isZone),
    rhythm: z.object({
      every: z.enum(every),
      hour: z.number().int().min(0).max(23),
      minute: z.number().int().min(0).max(59),
      gaps: z.literal(true).exactOptional(),
    }),
    dueAt: z.number(),
  }),
)

type Named = Pick<Subscription, "team" | "channel"> & {
  rhythm: Pick<Subscription["rhythm"], "every">
}

/** One channel has at most one digest of each rhythm, so its names are the id. */
const idOf = ({ team, channel, rhythm }: Named) => `${team}:${channel}:${rhythm.every}`

export function createSubscriptions(
  redis: RedisClient,
  { names = SAME_NAMES, onBroken = ignoreBroken, now }: NamedStoreOptions = {},
): Subscriptions {
  const on = { redis, now }
  const recordOf = (named: Named) => {
    const key = keys.digest(idOf(named))
    return typed(key, redis.hget(key, "record"), onBroken)
  }
  const own = (named: Named) => ({ key: keys.digest(idOf(named)), due: keys.digestsDue })

  return {
    async save(subscription) {
      const record = codec.write(stored(await names(), subscription))
      const args = { id: idOf(subscription), record, dueAt: subscription.dueAt }
      await saveDigest(on, own(subscription), args)
    },

    async remove(team, channel, kind) {
      const named = { team, channel, rhythm: { every: kind } }
      const [known, [record]] = await Promise.all([
        names(),
        removeDigest(on, own(named), { id: idOf(named) }),
      ])
      const removed = codec.read(record)
      return removed && called(known, removed)
    },

    async ofChannel(team, channel) {
      const [known, ...records] = await Promise.all([
        names(),
        ...every.map((kind) => recordOf({ team, channel, rhythm: { every: kind } })),
      ])
      const found = records.flatMap((record) => codec.read(record) ?? [])
      return found.map((subscription) => called(known, subscription))
    },

    async claim(leaseMs) {
      // Before the claim: what cannot be named must not be leased for nothing.
      const known = await names()
      const lease = randomUUID()
      const args = { lease, leaseMs, prefix: keys.digest("") }
      const claimed = await claimPost(on, { due: keys.digestsDue }, args)
      const [id, record, , posting, tries = 1, moment = 0] = claimed
      const found = codec.read(record)
      // It comes back after its lease: another version may run beside this one, and read it.
      if (id !== undefined && !found)
        onBroken(keys.digest(id), new RecordError(`The stored digest ${id} cannot be read.`))
      const subscription = found && called(known, found)
      return subscription && { subscription, lease, at: moment, unsure: posting === 1, tries }
    },

    async nextDue() {
      return untilFirst(redis, keys.digestsDue, now)
    },

    async posting({ subscription, lease }) {
      return (await beginPost(on, own(subscription), { lease })) === 1
    },

    async settle({ subscription, lease }: ClaimedDigest, outcome) {
      const id = idOf(subscription)
      const record = stored(await names(), subscription)
      const args =
        "dueAt" in outcome
          ? { value: codec.write({ ...record, dueAt: outcome.dueAt }), unsure: "" }
          : { value: "", unsure: outcome.unsure ? "1" : "" }
      const next = "dueAt" in outcome ? outcome.dueAt : Math.round(outcome.againMs)
      const named = { id, lease, field: "record" }
      await settlePost(on, own(subscription), { ...named, next, ...args })
    },

    async end({ subscription, lease }) {
      await endPosts(on, own(subscription), { id: idOf(subscription), lease })
    },
  }
}
