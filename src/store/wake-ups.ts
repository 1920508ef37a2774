import { randomUUID } from "node:crypto"
import { Redis } from "ioredis"
import { z } from "zod"
import type { Log } from "../runtime/log.ts"
import { WAKE_CHANNEL } from "./keys.ts"
import { SCHEDULES } from "./schedule.ts"
import { type RedisClient, script } from "./script.ts"

/** Limits for checking all schedules, in case a wake-up message was lost. */
const CHECKS = {
  /** Maximum ms between two checks, which limits how late the bot notices anything due. */
  everyMs: 4000,
  /** Interval in ms while the messages that checks publish don't arrive. */
  deafMs: 250,
  /** Lost messages in a row before the bot logs them; a dropped connection loses only one. */
  missesToTell: 8,
}

/**
 * Lua. Returns for each schedule when it is next due, in ms from now, then 0 for each further key
 * that exists; -1 if nothing is due or the key is missing. Publishes that it ran, so that the
 * caller learns whether messages reach it.
 */
const checkScript = script(
  z.array(z.number()),
  "",
  "own nth schedules",
  `${SCHEDULES}
publish(own .. ' ' .. nth)
local found = {}
for i = 1, #KEYS do
  local isSchedule = i <= tonumber(schedules)
  found[i] = isSchedule and waitFor(KEYS[i]) or redis.call('EXISTS', KEYS[i]) - 1
end
return found
`,
)

const DEAF = `Redis pub/sub isn't working; polling every ${CHECKS.deafMs} ms. Allow this Redis user to publish and subscribe to ${WAKE_CHANNEL}`

/** Receives what is due in `inMs`: a schedule's key, a watched key or a message's text. */
type Ring = (what: string, inMs: number) => void

/**
 * Wakes loops through publish and subscribe. A message may get lost with its connection, so the bot
 * also checks every schedule now and then. Each check publishes a message that must arrive before
 * the next check; while none arrives, checks are frequent.
 * @param watched `present`: keys that exist only while there is something to do
 */
export function createWakeUps(
  redis: RedisClient,
  watched: { schedules: readonly string[]; present: readonly string[] },
  log: Log,
) {
  const own = randomUUID()
  const keys = [...watched.schedules, ...watched.present]
  // A cluster client subscribes over a separate connection; a single server's client cannot
  // subscribe and send commands.
  const listener = redis instanceof Redis ? redis.duplicate() : redis
  // The main connection reports outages.
  if (listener !== redis) listener.on("error", () => {})
  let [heard, said, missed] = [0, 0, 0]
  let ring: Ring = () => {}
  let subscribed: Promise<unknown> | undefined

  return {
    listen(onWake: Ring): void {
      ring = onWake
      listener.on("message", (_channel: string, text: string) => {
        const [, what, inMs] = /^(\S+) (\d+)$/.exec(text) ?? []
        if (what === own) heard = Number(inMs)
        else if (what !== undefined) ring(what, Number(inMs))
      })
      // ioredis subscribes again after each connect; the next check finds what was missed meanwhile.
      subscribed = listener.subscribe(WAKE_CHANNEL).catch(() => {})
    },

    async check(): Promise<number> {
      // The first check finds what was published before the bot listened.
      await subscribed
      // True if the message of the last check arrived.
      const hears = heard === said
      if (hears && missed >= CHECKS.missesToTell) log.info("Redis pub/sub works again")
      missed = hears ? 0 : missed + 1
      if (missed === CHECKS.missesToTell) log.warn(DEAF)
      if (missed === 1 && listener !== redis) listener.disconnect(true)
      said += 1
      const args = { own, nth: said, schedules: watched.schedules.length }
      const found = await checkScript({ redis }, {}, args, [], keys)
      for (const [n, inMs] of found.entries()) if (inMs >= 0) ring(keys[n] ?? "", inMs)
      return hears ? CHECKS.everyMs : CHECKS.deafMs
    },

    close(): void {
      if (listener !== redis) listener.disconnect()
    },
  }
}
