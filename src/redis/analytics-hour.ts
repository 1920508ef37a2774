import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import type { AnalyticsHour } from "../visitors/ports.ts"
import type { Now, RedisClient } from "./script.ts"
import { pauseHour, settlePlace, takePlace, usedPlaces } from "./scripts/analytics-hour.ts"
import { visitorsKeys as keys } from "./visitors-keys.ts"

/** Entries of one command. */
const WRITE_BACK = 500

/** The rolling log of analytics requests in Redis: the truth for every process. */
export function createAnalyticsHour(
  redis: RedisClient,
  options: { perHour: number; windowMs?: number; now?: Now },
): AnalyticsHour {
  const windowMs = options.windowMs ?? WINDOW_MS
  const on = { redis, now: options.now }
  const keysOf = (project: string) => ({ hour: keys.hour(project), pause: keys.pause(project) })
  /** This process' own places of the hour, for a Redis that lost them. */
  const own = new Map<string, Map<string, number>>()
  const ownOf = (project: string) => {
    const known = own.get(project) ?? new Map<string, number>()
    own.set(project, known)
    return known
  }

  async function writeBack(project: string): Promise<void> {
    const entries = [...ownOf(project)]
    for (let from = 0; from < entries.length; from += WRITE_BACK)
      await redis.zadd(
        keys.hour(project),
        "NX",
        ...entries.slice(from, from + WRITE_BACK).flatMap(([place, stamp]) => [stamp, place]),
      )
  }

  return {
    async take(project, keep, holdMs) {
      const place = randomUUID()
      const mine = ownOf(project)
      const limit = options.perHour - keep
      const attempt = (last: string) =>
        takePlace(on, keysOf(project), { place, limit, windowMs, holdMs, last })
      let reply = await attempt([...mine.keys()].at(-1) ?? "")
      if (reply[0] === "lost") {
        await writeBack(project)
        reply = await attempt("")
      }
      const [outcome, moment] = reply
      if (outcome !== "go") return { waitMs: moment }
      for (const [old, stamp] of mine) if (stamp < moment - holdMs - windowMs) mine.delete(old)
      mine.set(place, moment)
      return { place }
    },

    async settle(project, place) {
      const stamp = await settlePlace(on, keysOf(project), { place })
      const held = ownOf(project).get(place)
      if (held !== undefined) ownOf(project).set(place, Math.min(held, stamp))
    },

    async giveBack(project, place) {
      ownOf(project).delete(place)
      await redis.zrem(keys.hour(project), place)
    },

    async pause(project, ms) {
      await pauseHour(on, keysOf(project), { ms: Math.max(1, Math.ceil(ms)) })
    },

    async room(project) {
      const used = await usedPlaces(on, keysOf(project), { windowMs })
      return { free: Math.max(0, options.perHour - used), perHour: options.perHour }
    },
  }
}
