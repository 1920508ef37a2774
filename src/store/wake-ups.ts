import { randomUUID } from "node:crypto"
import { Redis } from "ioredis"
import { z } from "zod"
import type { Log } from "../runtime/log.ts"
import { WAKE_CHANNEL } from "./keys.ts"
import { type RedisClient, script } from "./script.ts"

/** Checks of everything that is due, in case the message that says so was lost. */
const LOOKS = {
  /** Nothing is noticed later than this, ms. */
  everyMs: 4000,
  /** While the bot's own messages do not come back, ms. */
  deafMs: 250,
  /** Messages lost in a row before an operator is told: a single one may be lost with its connection. */
  missesToTell: 8,
}

/**
 * Lua. When each schedule has something to do, ms from now, and then whether each further key exists (0);
 * -1 where not. Publishes that it was run, so that the caller knows whether messages reach it.
 */
const lookScript = script(
  z.array(z.number()),
  "",
  "own nth schedules",
  `
redis.pcall('PUBLISH', '${WAKE_CHANNEL}', own .. ' ' .. nth)
local found = {}
for i = 1, #KEYS do
  if i > tonumber(schedules) then found[i] = redis.call('EXISTS', KEYS[i]) - 1
  else
    local first = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')
    found[i] = first[2] and math.ceil(math.max(0, tonumber(first[2]) - now)) or -1
  end
end
return found
`,
)

const DEAF = `Redis pub/sub isn't working; polling every ${LOOKS.deafMs} ms. Allow this Redis user to publish and subscribe to ${WAKE_CHANNEL}`

/** Tells that something is due in so many ms; `what` is a schedule's key, a watched key, or what was told. */
type Ring = (what: string, inMs: number) => void

/**
 * Wake-ups through publish and subscribe. A message may be lost with its connection, so every
 * schedule is read now and then as well. Each such look publishes a message that has to arrive
 * before the next look: while none arrives, looks are frequent.
 * @param watched `present`: keys that exist only while there is something to do
 */
export function createWakeUps(
  redis: RedisClient,
  watched: { schedules: readonly string[]; present: readonly string[] },
  log: Log,
) {
  const own = randomUUID()
  const keys = [...watched.schedules, ...watched.present]
  // A cluster's client subscribes over a connection of its own, a single server's cannot do both.
  const listener = redis instanceof Redis ? redis.duplicate() : redis
  // The connection that everything else goes through tells of an outage.
  if (listener !== redis) listener.on("error", () => {})
  let [heard, said, missed] = [0, 0, 0]
  let ring: Ring = () => {}

  return {
    /** Hears of everything that becomes due sooner. It may turn out that there is nothing to do. */
    listen(onWake: Ring): void {
      ring = onWake
      listener.on("message", (_channel: string, text: string) => {
        const [, what, inMs] = /^(\S+) (\d+)$/.exec(text) ?? []
        if (what === own) heard = Number(inMs)
        else if (what !== undefined) ring(what, Number(inMs))
      })
      // Subscribed again after each connect by ioredis; what was missed meanwhile, the next look finds.
      listener.subscribe(WAKE_CHANNEL).catch(() => {})
    },

    /** Looks at everything once, in case a message was missed. @returns until the next look, ms */
    async look(): Promise<number> {
      // Did the message of the last look arrive?
      const hears = heard === said
      if (hears && missed > LOOKS.missesToTell) log.info("Redis pub/sub works again")
      missed = hears ? 0 : missed + 1
      if (missed === LOOKS.missesToTell) log.warn(DEAF)
      if (missed === 1 && listener !== redis) listener.disconnect(true)
      said += 1
      const args = { own, nth: said, schedules: watched.schedules.length }
      const found = await lookScript({ redis, now: undefined }, {}, args, [], keys)
      for (const [n, inMs] of found.entries()) if (inMs >= 0) ring(keys[n] ?? "", inMs)
      return hears ? LOOKS.everyMs : LOOKS.deafMs
    },

    close(): void {
      if (listener !== redis) listener.disconnect()
    },
  }
}
