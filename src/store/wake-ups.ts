import { Redis } from "ioredis"
import { z } from "zod"
import type { Log } from "../lib/log.ts"
import { raceAbort } from "../lib/time.ts"
import { WAKE_CHANNEL } from "./redis-keys.ts"
import { SCHEDULES } from "./schedule.ts"
import { type RedisClient, script } from "./script.ts"

/** Interval in ms of the checks, which limits how late the bot notices what a lost message said. */
const CHECK_MS = 4000

/**
 * Lua. Returns for each schedule when it is next due, in ms from now, then 0 for each further key
 * that exists; -1 if nothing is due or the key is missing.
 */
const checkScript = script(
  z.array(z.number()),
  "",
  "schedules",
  `${SCHEDULES}
local found = {}
for i = 1, #KEYS do
  local isSchedule = i <= tonumber(schedules)
  found[i] = isSchedule and waitFor(KEYS[i]) or redis.call('EXISTS', KEYS[i]) - 1
end
return found
`,
)

const DEAF = `Redis pub/sub isn't working; checking every ${CHECK_MS / 1000} s instead. Allow this Redis user to publish and subscribe to ${WAKE_CHANNEL}`

/**
 * Wakes loops through publish and subscribe. A message may get lost with its connection, so the bot
 * also checks every schedule now and then.
 * @param watched `present`: keys that exist only while there is something to do
 * @param ring receives what is due in `inMs`: a schedule's key, a watched key or a message's text
 */
export function createWakeUps(
  redis: RedisClient,
  watched: { schedules: readonly string[]; present: readonly string[] },
  ring: (what: string, inMs: number) => void,
  log: Log,
) {
  const keys = [...watched.schedules, ...watched.present]
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
      if (isTold || error.name !== "ReplyError") return
      isTold = true
      log.warn({ error }, DEAF)
    })
  const subscribed = subscribe()

  return {
    async check(): Promise<number> {
      // The first check finds what was published before the bot listened, if it does in time.
      await raceAbort(AbortSignal.timeout(CHECK_MS), subscribed, undefined)
      // Subscribing again changes nothing, but its missing answer reveals a dead connection.
      if (listener.status === "ready") void subscribe()
      const args = { schedules: watched.schedules.length }
      const found = await checkScript({ redis }, {}, args, [], keys)
      for (const [n, inMs] of found.entries()) if (inMs >= 0) ring(keys[n] ?? "", inMs)
      return CHECK_MS
    },

    close(): void {
      if (listener !== redis) listener.disconnect()
    },
  }
}
