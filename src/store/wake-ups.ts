import { Redis } from "ioredis"
import { z } from "zod"
import type { Log } from "../lib/log.ts"
import { raceAbort } from "../lib/time.ts"
import { key, WAKE_CHANNEL } from "./redis-keys.ts"
import { SCHEDULES } from "./schedule-and-leases.ts"
import { type RedisClient, script } from "./script.ts"
import { isStoreAway } from "./server-state.ts"

/** Interval in ms of the checks, which limits how late the bot notices what a lost message said. */
const CHECK_MS = 4000

/** Minimum ms by which Redis's clock must go back to count as set back; also how often it is noted. */
const STEP_MS = 1000
/** Key of the time that the last check saw. */
const SEEN = key("clock", "seen")

/**
 * Lua. If Redis's clock was set back since the last check, moves back by as much what is due after
 * a wait: of the keys, the first `waits` are such schedules. A worker whose lease moves loses it,
 * and another one repeats its step.
 */
const FOLLOW_CLOCK = `
local function moveBack(schedule, ms)
  local function earlier(at) return string.format(at % 1 == 0 and '%.0f' or '%.1f', at - ms) end
  local due = redis.call('ZRANGE', schedule, 0, -1, 'WITHSCORES')
  for n = 1, #due, 2 do redis.call('ZADD', schedule, earlier(tonumber(due[n + 1])), due[n]) end
  local noted = redis.call('HGETALL', schedule .. ':again')
  for n = 1, #noted, 2 do
    redis.call('HSET', schedule .. ':again', noted[n], earlier(tonumber(noted[n + 1])))
  end
end
local function followClock(seen, waits)
  local last = tonumber(redis.call('GET', seen) or '') or 0
  local backMs = math.floor(last - now)
  if math.abs(backMs) < ${STEP_MS} then return end
  if backMs > 0 then for n = 2, 1 + waits do moveBack(KEYS[n], backMs) end end
  redis.call('SET', seen, string.format('%.0f', now))
end
`

/**
 * Lua. Returns for each schedule when it is next due, in ms from now, then 0 for each further key
 * that exists; -1 if nothing is due or the key is missing.
 */
const checkScript = script(
  z.array(z.number()),
  "seen",
  "waits schedules",
  `${SCHEDULES}${FOLLOW_CLOCK}
followClock(seen, tonumber(waits))
local dueIn = {}
for n = 2, #KEYS do
  local isSchedule = n <= 1 + tonumber(schedules)
  dueIn[n - 1] = isSchedule and waitFor(KEYS[n]) or redis.call('EXISTS', KEYS[n]) - 1
end
return dueIn
`,
)

const DEAF = `Redis pub/sub isn't working; checking every ${CHECK_MS / 1000} s instead. Allow this Redis user to publish and subscribe to ${WAKE_CHANNEL}`

/**
 * Wakes loops through publish and subscribe. A message may get lost with its connection, so the bot
 * also checks every schedule now and then.
 * @param watched `waits`: schedules of what is due after a wait; `calendar`: of what is due at a time
 * of the day, whatever the clock says; `present`: keys that exist only while there is something to do
 * @param ring receives what is due in `inMs`: a schedule's key, a watched key or a message's text
 */
export function createWakeUps(
  redis: RedisClient,
  watched: Record<"waits" | "calendar" | "present", readonly string[]>,
  ring: (what: string, inMs: number) => void,
  log: Log,
) {
  const { waits, calendar, present } = watched
  const keys = [...waits, ...calendar, ...present]
  const counts = { waits: waits.length, schedules: waits.length + calendar.length }
  // A cluster client subscribes over a separate connection; a single server's client cannot
  // subscribe and send commands.
  const listener = redis instanceof Redis ? redis.duplicate() : redis
  // The main connection reports outages.
  if (listener !== redis) listener.on("error", () => {})
  listener.on("message", (_channel: string, text: string) => {
    const [, what, inMs] = /^(\S+) (\d+)$/.exec(text) ?? []
    if (what !== undefined) ring(what, Number(inMs))
  })
  let isTold = false
  const subscribe = () =>
    listener.subscribe(WAKE_CHANNEL).catch((error: Error) => {
      if (isTold || isStoreAway(error) || error.name !== "ReplyError") return
      isTold = true
      log.warn({ error }, DEAF)
    })
  const subscribed = subscribe()

  return {
    async check(): Promise<number> {
      // The first check finds what was published before the bot listened, if it does in time.
      await raceAbort(subscribed, AbortSignal.timeout(CHECK_MS), undefined)
      // Subscribing again changes nothing, but its missing answer reveals a dead connection.
      if (listener.status === "ready") void subscribe()
      const dueIn = await checkScript({ redis }, { seen: SEEN }, counts, [], keys)
      for (const [n, inMs] of dueIn.entries()) if (inMs >= 0) ring(keys[n] ?? "", inMs)
      return CHECK_MS
    },

    close(): void {
      if (listener !== redis) listener.disconnect()
    },
  }
}
