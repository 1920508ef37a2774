import type { Command } from "ioredis"
import { key } from "../../../src/store/keys.ts"
import type { RedisClient } from "../../../src/store/script.ts"
import type { MovableClock } from "../kit/movable-clock.ts"

/** Scripts name the moment in `ARGV[1]`; an empty one stands for Redis' own clock. */
const FIRST_ARGUMENT = 2

/**
 * Has Redis go by this clock for the scripts that come over a connection, which is where the bot takes
 * its time from. A redis-server cannot be told the time; what is sent to it can.
 */
export function goByClock(redis: RedisClient, clock: MovableClock): void {
  redis.sendCommand = new Proxy(redis.sendCommand, {
    apply(send, self, sent: [Command, ...unknown[]]) {
      const [{ name, args }] = sent
      if (clock.aheadMs > 0 && /^eval(?:sha)?$/i.test(name)) {
        const at = FIRST_ARGUMENT + Number(args[1])
        if (args[at] === "") args[at] = String(clock.now())
      }
      return Reflect.apply(send, self, sent)
    },
  })
}

/** Lets time pass for what lives for a while only. */
export async function letExpire(redis: RedisClient, ms: number): Promise<void> {
  const names = await redis.keys(key("*"))
  await Promise.all(
    names.map(async (name) => {
      const left = await redis.pttl(name)
      // Redis answers negative figures for what has no end.
      if (left < 0) return
      await (left > ms ? redis.pexpire(name, left - ms) : redis.del(name))
    }),
  )
}
