import { randomUUID } from "node:crypto"
import { z } from "zod"
import { directions } from "../../visitors/alerts/judge.ts"
import {
  type AlertStore,
  type ChannelAlerts,
  type ClaimedAlerts,
  type Watch,
  watchedKinds,
} from "../../visitors/alerts/ports.ts"
import { ignoreBroken } from "../broken.ts"
import { untilFirst } from "../clock.ts"
import {
  called,
  type NamedStoreOptions,
  type ProjectNames,
  SAME_NAMES,
  stored,
} from "../projects/names.ts"
import { RecordError, recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { changeAlerts, readAlerts } from "./alerts.lua.ts"
import { beginPost, claimPost, endPosts, settlePost } from "./scheduled-posts.lua.ts"

const day = z.iso.date()
const watches = z.object({
  team: z.string(),
  channel: z.string(),
  watches: z
    .array(
      z.object({
        id: z.string(),
        project: z.string(),
        of: z.enum(watchedKinds),
        filter: z.string().exactOptional(),
        user: z.string(),
        from: day,
      }),
    )
    .min(1),
})
const state = z.record(
  z.string(),
  z.object({
    judged: day,
    story: z.object({ direction: z.enum(directions), from: day, to: day }).optional(),
  }),
)
const watchesCodec = recordCodec<Omit<ChannelAlerts, "state" | "asRead">>(1, watches)
const stateCodec = recordCodec<ChannelAlerts["state"]>(1, state)

interface Channel {
  team: string
  channel: string
}

const idOf = ({ team, channel }: Channel) => `${team}:${channel}`
const written = ({ team, channel }: Channel, list: readonly Watch[]) =>
  list.length === 0 ? "" : watchesCodec.write({ team, channel, watches: [...list] })

/** What people turned on and how far the passes came are kept apart, so that neither undoes the other. */
export function createAlerts(
  redis: RedisClient,
  { names = SAME_NAMES, onBroken = ignoreBroken, now }: NamedStoreOptions = {},
): AlertStore {
  const on = { redis, now }
  const own = (channel: Channel) => ({ key: keys.alerts(idOf(channel)), due: keys.alertsDue })
  /** As people turned it on, and how far the passes came. */
  const toAlerts = (known: ProjectNames, record: string | undefined, how: string | undefined) => {
    const found = watchesCodec.read(record)
    if (!found) return undefined
    const watches = found.watches.map((watch) => called(known, watch))
    return { ...found, watches, state: stateCodec.read(how) ?? {}, asRead: record ?? "" }
  }

  return {
    async of(team, channel) {
      const key = keys.alerts(idOf({ team, channel }))
      const [known, [record, how]] = await Promise.all([names(), readAlerts(on, { key }, {})])
      return toAlerts(known, record, how)
    },

    async change(before, list, dueAt) {
      const known = await names()
      const watches = list.map((watch) => stored(known, watch))
      const args = { id: idOf(before), before: before.asRead, dueAt }
      const record = written(before, watches)
      return (await changeAlerts(on, own(before), { ...args, record })) === 1
    },

    async claim(leaseMs) {
      // Before the claim: what cannot be named must not be leased for nothing.
      const known = await names()
      const lease = randomUUID()
      const args = { lease, leaseMs, prefix: keys.alerts("") }
      const claimed = await claimPost(on, { due: keys.alertsDue }, args)
      const [id, record, how, posting, tries = 1, at = 0] = claimed
      const alerts = toAlerts(known, record, how)
      // It comes back after its lease: another version may run beside this one, and read it.
      if (id !== undefined && !alerts)
        onBroken(keys.alerts(id), new RecordError(`The stored alerts ${id} cannot be read.`))
      return alerts && { alerts, lease, at, unsure: posting === 1, tries }
    },

    async nextDue() {
      return untilFirst(redis, keys.alertsDue, now)
    },

    async posting({ alerts, lease }) {
      return (await beginPost(on, own(alerts), { lease })) === 1
    },

    async settle({ alerts, lease }: ClaimedAlerts, outcome) {
      const args =
        "dueAt" in outcome
          ? { value: stateCodec.write(outcome.state), next: outcome.dueAt, unsure: "" }
          : {
              value: "",
              next: Math.round(outcome.againMs),
              unsure: outcome.unsure ? "1" : "",
            }
      await settlePost(on, own(alerts), { id: idOf(alerts), lease, field: "state", ...args })
    },

    async end({ alerts, lease }) {
      await endPosts(on, own(alerts), { id: idOf(alerts), lease })
    },
  }
}
