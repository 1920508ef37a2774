import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../../config/timing.ts"
import type { Now, RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { pauseHour, settleSlot, takeSlot } from "./hour.lua.ts"

/** A slot in the hour, and the sorted sets it stands in. */
interface Slot {
  id: string
  sets: { hour: string; own: string }
}

export type AnalyticsHour = ReturnType<typeof createAnalyticsHour>

/**
 * The rolling hour of analytics requests that a service key has, shared by every process and by every
 * project with that key, and fairly by everybody: while others ask nobody has more than half of it.
 * @param options `accountOf`: whose hour a project's requests count in
 */
export function createAnalyticsHour(
  redis: RedisClient,
  options: { perHour: number; accountOf: (project: string) => string; now?: Now },
) {
  const { perHour, accountOf } = options
  const half = Math.max(1, Math.floor(perHour / 2))
  const on = { redis, now: options.now }
  return {
    /**
     * Takes one slot. @param user undefined where nobody in particular asks
     * @param holdMs the longest time until the request reaches the service: the slot is stamped with that
     * moment, so that a slow network cannot push two hours together
     */
    async take(
      project: string,
      user: string | undefined,
      holdMs: number,
    ): Promise<{ slot: Slot } | { waitMs: number; ownShare: boolean }> {
      const account = accountOf(project)
      const sets = { hour: keys.hour(account), own: keys.hourOf(account, user ?? "") }
      const id = randomUUID()
      const from = { ...sets, askers: keys.askers(account), pause: keys.pause(account) }
      const rules = { perHour, half, windowMs: WINDOW_MS, holdMs }
      const [outcome, ms] = await takeSlot(on, from, { user: user ?? "", slot: id, ...rules })
      return outcome === "go"
        ? { slot: { id, sets } }
        : { waitMs: ms, ownShare: outcome === "share" }
    },

    /** The answer is here: the request reached the service by now. */
    async settle({ id, sets }: Slot): Promise<void> {
      await settleSlot(on, sets, { slot: id })
    },

    /** The request certainly never left. */
    async giveBack({ id, sets }: Slot): Promise<void> {
      await Promise.all([redis.zrem(sets.hour, id), redis.zrem(sets.own, id)])
    },

    /** The service itself refused: nobody asks it for this long. */
    async pause(project: string, ms: number): Promise<void> {
      const pause = keys.pause(accountOf(project))
      await pauseHour(on, { pause }, { ms: Math.max(1, Math.ceil(ms)) })
    },
  }
}
