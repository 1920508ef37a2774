import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import type { AnalyticsHour, Place, Reader } from "../visitors/ports.ts"
import { sharesOf } from "../visitors/shares.ts"
import type { Now, RedisClient } from "./script.ts"
import { pauseHour, roomFor, settlePlace, takePlace } from "./scripts/analytics-hour.ts"
import { visitorsKeys as keys } from "./visitors-keys.ts"

/** Entries of one command. */
const WRITE_BACK = 500

/** A place of this process, and the moment it is stamped with. */
interface Held {
  stamp: number
  reader: Reader
}

/** The rolling log of analytics requests in Redis: the truth for every process. */
export function createAnalyticsHour(
  redis: RedisClient,
  options: { perHour: number; windowMs?: number; now?: Now },
): AnalyticsHour {
  const { perHour, windowMs = WINDOW_MS } = options
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
  /** This process' own places of the hour, for a Redis that lost them. */
  const own = new Map<string, Map<string, Held>>()
  const ownOf = (project: string) => {
    const known = own.get(project) ?? new Map<string, Held>()
    own.set(project, known)
    return known
  }

  async function writeBack(project: string): Promise<void> {
    const bySet = new Map<string, (string | number)[]>()
    for (const [place, { stamp, reader }] of ownOf(project))
      for (const set of Object.values(setsOf(project, reader)))
        bySet.set(set, [...(bySet.get(set) ?? []), stamp, place])
    for (const [set, entries] of bySet)
      for (let from = 0; from < entries.length; from += WRITE_BACK)
        await redis.zadd(set, "NX", ...entries.slice(from, from + WRITE_BACK))
  }

  return {
    async take(project, reader, holdMs) {
      const place = { id: randomUUID(), reader }
      const mine = ownOf(project)
      const args = { ...rules(reader), place: place.id, holdMs }
      const from = { ...rulesOf(project), ...setsOf(project, reader), pause: keys.pause(project) }
      let reply = await takePlace(on, from, { ...args, last: [...mine.keys()].at(-1) ?? "" })
      if (reply[0] === "lost") {
        await writeBack(project)
        reply = await takePlace(on, from, { ...args, last: "" })
      }
      const [outcome, moment] = reply
      if (outcome !== "go") return { waitMs: moment, ownShare: outcome === "share" }
      for (const [old, { stamp }] of mine) if (stamp < moment - holdMs - windowMs) mine.delete(old)
      mine.set(place.id, { stamp: moment, reader })
      return { place }
    },

    async settle(project, { id, reader }) {
      const now = await settlePlace(on, setsOf(project, reader), { place: id })
      const held = ownOf(project).get(id)
      if (held) held.stamp = Math.min(held.stamp, now)
    },

    async giveBack(project, { id, reader }: Place) {
      ownOf(project).delete(id)
      await Promise.all(Object.values(setsOf(project, reader)).map((set) => redis.zrem(set, id)))
    },

    async pause(project, ms) {
      await pauseHour(on, { pause: keys.pause(project) }, { ms: Math.max(1, Math.ceil(ms)) })
    },

    async room(project, reader) {
      const from = { ...rulesOf(project), ...setsOf(project, reader) }
      const [free, most] = await roomFor(on, from, rules(reader))
      return { free, perHour: most }
    },
  }
}

function userOf(reader: Reader): string {
  return "user" in reader ? reader.user : ""
}

/** What a place of this reader stands in. */
function setsOf(project: string, reader: Reader) {
  const user = userOf(reader)
  return {
    hour: keys.hour(project),
    kind: keys.hourOf(project, `kind:${reader.kind}`),
    // Nobody's places stand among those of their kind alone.
    own: keys.hourOf(project, user === "" ? `kind:${reader.kind}` : `user:${user}`),
  }
}

/** What the rules look at beside that. */
function rulesOf(project: string) {
  return {
    digests: keys.hourOf(project, "kind:digest"),
    askers: keys.askers(project),
    subscriptions: keys.digestsDue,
  }
}
