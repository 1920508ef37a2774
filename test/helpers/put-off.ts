import { expect } from "vitest"
import { keys } from "../../src/redis/keys.ts"
import { pairs, redisTime } from "../../src/redis/slot-store.ts"
import type { House } from "../../src/sandbox/house.ts"

/** Between two writes about one job the bot waits for less than this anyway, ms. */
const A_WHILE_MS = 2000

/**
 * What the bot has put off saying for a while is due now, instead of waiting for it; waits until there
 * is something. A lease, which ends in half a millisecond, is left alone.
 */
export async function dueAtOnce({ services: { patient: store } }: House): Promise<void> {
  await expect
    .poll(
      async () => {
        const from = (await redisTime(store)) + A_WHILE_MS
        const later = await store.zrangebyscore(keys.outbox, from, "+inf", "WITHSCORES")
        const putOff = pairs(later).filter(({ at }) => Number.isInteger(at))
        for (const { member } of putOff) await store.zadd(keys.outbox, "XX", 0, member)
        return putOff.length
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThan(0)
}
