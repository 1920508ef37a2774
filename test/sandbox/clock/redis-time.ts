import type { Command } from "ioredis"
import { key } from "../../../src/store/redis-keys.ts"
import type { RedisClient } from "../../../src/store/script.ts"
import type { MovableClock } from "../kit/movable-clock.ts"

/** Index of `ARGV[1]` in a script without keys. It holds the time; empty is Redis's own clock. */
const FIRST_ARGUMENT = 2

/**
 * Makes the scripts on this connection, from which the bot takes its time, use the clock. The time
 * of a redis-server can't be set, so this fills in the scripts' time argument.
 */
export function goByClock(redis: RedisClient, clock: MovableClock): void {
  redis.sendCommand = new Proxy(redis.sendCommand, {
    apply(send, self, sent: [Command, ...unknown[]]) {
      const [{ name, args }] = sent
      if (clock.aheadMs !== 0 && /^eval(?:sha)?$/i.test(name)) {
        const at = FIRST_ARGUMENT + Number(args[1])
        if (args[at] === "") args[at] = String(clock.now())
      }
      return Reflect.apply(send, self, sent)
    },
  })
}

/** Advances the expiry of the bot's keys by `ms` and deletes those that expire. */
export async function letExpire(redis: RedisClient, ms: number): Promise<void> {
  const names = await redis.keys(key("*"))
  await Promise.all(
    names.map(async (name) => {
      const left = await redis.pttl(name)
      // Redis returns a negative number for a key without an expiry.
      if (left < 0) return
      await (left > ms ? redis.pexpire(name, left - ms) : redis.del(name))
    }),
  )
}
