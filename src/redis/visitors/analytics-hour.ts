import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../../config/timing.ts"
import type { AnalyticsHour, Reader, Slot } from "../../visitors/reading-ports.ts"
import { sharesOf } from "../../visitors/shares.ts"
import type { Now, RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { pauseHour, roomFor, settleSlot, takeSlot } from "./analytics-hour.lua.ts"

/** Entries of one command. */
const WRITE_BACK = 500

/** A slot of this process, and the moment it is stamped with. */
interface Held {
  stamp: number
  reader: Reader
}

/**
 * The rolling log of analytics requests in Redis: the truth for every process.
 * @param options `accountOf`: whose hour a project's requests count in
 */
export function createAnalyticsHour(
  redis: RedisClient,
  options: {
    perHour: number
    accountOf: (project: string) => string
    windowMs?: number
    now?: Now
  },
): AnalyticsHour {
  const { perHour, accountOf, windowMs = WINDOW_MS } = options
  const { half, people, digests: reserve } = sharesOf(perHour)
  const on = { redis, now: options.now }
  const rules = (reader: Reader) => ({
    reader: reader.kind,
    user: userOf(reader),
    perHour,
    half,
    people,
    reserve,
    windowMs,
  })
  /** This process' own slots of the hour, for a Redis that lost them. */
  const own = new Map<string, Map<string, Held>>()
  const ownOf = (account: string) => {
    const known = own.get(account) ?? new Map<string, Held>()
    own.set(account, known)
    return known
  }

  async function writeBack(account: string): Promise<void> {
    const bySet = new Map<string, (string | number)[]>()
    for (const [slot, { stamp, reader }] of ownOf(account))
      for (const set of Object.values(setsOf(account, reader)))
        bySet.set(set, [...(bySet.get(set) ?? []), stamp, slot])
    for (const [set, entries] of bySet)
      for (let from = 0; from < entries.length; from += WRITE_BACK)
        await redis.zadd(set, "NX", ...entries.slice(from, from + WRITE_BACK))
  }

  return {
    async take(project, reader, holdMs) {
      const account = accountOf(project)
      const slot = { id: randomUUID(), reader }
      const mine = ownOf(account)
      const args = { ...rules(reader), slot: slot.id, holdMs }
      const sets = { ...rulesOf(account), ...setsOf(account, reader) }
      const from = { ...sets, pause: keys.pause(account), before: keys.projectHour(project) }
      let reply = await takeSlot(on, from, { ...args, last: [...mine.keys()].at(-1) ?? "" })
      if (reply[0] === "lost") {
        await writeBack(account)
        reply = await takeSlot(on, from, { ...args, last: "" })
      }
      const [outcome, moment] = reply
      if (outcome !== "go") return { waitMs: moment, ownShare: outcome === "share" }
      for (const [old, { stamp }] of mine) if (stamp < moment - holdMs - windowMs) mine.delete(old)
      mine.set(slot.id, { stamp: moment, reader })
      return { slot }
    },

    async settle(project, { id, reader }) {
      const account = accountOf(project)
      const now = await settleSlot(on, setsOf(account, reader), { slot: id })
      const held = ownOf(account).get(id)
      if (held) held.stamp = Math.min(held.stamp, now)
    },

    async giveBack(project, { id, reader }: Slot) {
      const account = accountOf(project)
      ownOf(account).delete(id)
      await Promise.all(Object.values(setsOf(account, reader)).map((set) => redis.zrem(set, id)))
    },

    async pause(project, ms) {
      const pause = keys.pause(accountOf(project))
      await pauseHour(on, { pause }, { ms: Math.max(1, Math.ceil(ms)) })
    },

    async room(project, reader) {
      const account = accountOf(project)
      const from = { ...rulesOf(account), ...setsOf(account, reader) }
      const [free, most] = await roomFor(on, from, rules(reader))
      return { free, perHour: most }
    },
  }
}

function userOf(reader: Reader): string {
  return "user" in reader ? reader.user : ""
}

/** What a slot of this reader stands in. */
function setsOf(account: string, reader: Reader) {
  const user = userOf(reader)
  return {
    hour: keys.hour(account),
    kind: keys.hourOf(account, `kind:${reader.kind}`),
    // Nobody's slots stand among those of their kind alone.
    own: keys.hourOf(account, user === "" ? `kind:${reader.kind}` : `user:${user}`),
  }
}

/** What the rules look at beside that. */
function rulesOf(account: string) {
  return {
    digests: keys.hourOf(account, "kind:digest"),
    askers: keys.askers(account),
    subscriptions: keys.digestsDue,
  }
}
