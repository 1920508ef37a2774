import { expect } from "vitest"
import { redisTime } from "../../src/redis/clock.ts"
import { keys } from "../../src/redis/keys.ts"
import { pairs } from "../../src/redis/replies.ts"
import type { RedisClient } from "../../src/store/script.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

/** Between two writes about one job the bot waits for less than this anyway, ms. */
const A_WHILE_MS = 2000

/**
 * What the bot has put off saying for a while is due now, instead of waiting for it; waits until there
 * is something.
 */
export async function dueAtOnce({ services: { workerRedis: store } }: TestBed): Promise<void> {
  await expect.poll(() => hasten(store, keys.outbox, A_WHILE_MS)).toBeGreaterThan(0)
}

/**
 * Whatever waits in this list, polls or words, for that long or longer is due now. A lease, which ends
 * in half a millisecond, is left alone. Resolves to how many that were.
 */
export async function hasten(store: RedisClient, list: string, longerMs = 0): Promise<number> {
  const from = (await redisTime(store)) + longerMs
  const later = await store.zrangebyscore(list, from, "+inf", "WITHSCORES")
  const putOff = pairs(later).filter(({ at }) => Number.isInteger(at))
  for (const { member } of putOff) await store.zadd(list, "XX", 0, member)
  return putOff.length
}
