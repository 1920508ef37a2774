import { randomUUID } from "node:crypto"
import { z } from "zod"
import { WINDOW_MS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import { type Store, script } from "../store/script.ts"

/**
 * Takes a slot in the rolling hour, once however often the call is sent again. The number is the moment
 * it is stamped with, or how long to wait, ms; `share`: there is room, and not for this reader.
 */
const takeSlot = script(
  z.tuple([z.enum(["go", "wait", "share"]), z.number()]),
  "hour own askers pause",
  "user slot perHour half windowMs holdMs",
  `
windowMs = tonumber(windowMs)
for _, set in ipairs({hour, own, askers}) do
  redis.call('ZREMRANGEBYSCORE', set, '-inf', now - windowMs)
end
local taken = redis.call('ZSCORE', hour, slot)
if taken then return {'go', math.floor(tonumber(taken))} end

-- How long until fewer than so many of them are left, ms.
local function untilFewer(set, limit)
  local used = redis.call('ZCARD', set)
  if used < limit then return 0 end
  local entry = redis.call('ZRANGE', set, used - limit, used - limit, 'WITHSCORES')
  return math.floor(tonumber(entry[2])) + windowMs + 1 - now
end
local opens = tonumber(redis.call('GET', pause)) or 0
local wait = math.max(untilFewer(hour, tonumber(perHour)), opens - now)
if user ~= '' then
  redis.call('ZADD', askers, now, user)
  redis.call('PEXPIRE', askers, windowMs)
  local share = redis.call('ZCARD', askers) > 1 and untilFewer(own, tonumber(half)) or 0
  if share > 0 then return {'share', math.max(wait, share)} end
end
if wait > 0 then return {'wait', wait} end
local latest = now + tonumber(holdMs)
for _, set in ipairs({hour, user ~= '' and own or nil}) do
  redis.call('ZADD', set, latest, slot)
  redis.call('PEXPIRE', set, windowMs + tonumber(holdMs) + 1)
end
return {'go', latest}
`,
)

/** The request reached the service by now: never later than it was stamped at first. */
const settleSlot = script(
  z.number(),
  "hour own",
  "slot",
  `
for _, set in ipairs({hour, own}) do redis.call('ZADD', set, 'XX', 'LT', now, slot) end
return now
`,
)

/** Pauses requests until this moment; a longer pause stays. */
const pauseHour = script(
  z.number(),
  "pause",
  "ms",
  `
local opens = now + tonumber(ms)
if (tonumber(redis.call('GET', pause)) or 0) < opens then redis.call('SET', pause, opens, 'PX', ms) end
return 1
`,
)

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
  store: Store,
  { perHour, accountOf }: { perHour: number; accountOf: (project: string) => string },
) {
  const half = Math.max(1, Math.floor(perHour / 2))
  const keyOf = (project: string, ...of: string[]) => key("v", "hour", accountOf(project), ...of)
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
      const sets = { hour: keyOf(project), own: keyOf(project, "of", user ?? "") }
      const id = randomUUID()
      const from = { ...sets, askers: keyOf(project, "askers"), pause: keyOf(project, "pause") }
      const rules = { perHour, half, windowMs: WINDOW_MS, holdMs }
      const [outcome, ms] = await takeSlot(store, from, { user: user ?? "", slot: id, ...rules })
      return outcome === "go"
        ? { slot: { id, sets } }
        : { waitMs: ms, ownShare: outcome === "share" }
    },

    /** The answer is here: the request reached the service by now. */
    async settle({ id, sets }: Slot): Promise<void> {
      await settleSlot(store, sets, { slot: id })
    },

    /** The request certainly never left. */
    async giveBack({ id, sets }: Slot): Promise<void> {
      await Promise.all([store.redis.zrem(sets.hour, id), store.redis.zrem(sets.own, id)])
    },

    /** The service itself refused: nobody asks it for this long. */
    async pause(project: string, ms: number): Promise<void> {
      await pauseHour(store, { pause: keyOf(project, "pause") }, { ms: Math.max(1, Math.ceil(ms)) })
    },
  }
}
