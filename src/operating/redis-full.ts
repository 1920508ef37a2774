import { tellOnce } from "../following/tell-admins-once.ts"
import type { Context } from "../jobs/context.ts"
import { operatorLine, redisFull } from "../messages/admin-notices.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type Store } from "../store/script.ts"
import { readServerFacts } from "../store/server-state.ts"

/** Key of the time since when Redis has been almost full, by its clock. */
const FULL = key("full")
const EVERY_MS = 60_000

/** Resolves to the time in ms since when Redis has been almost full; undefined if it has room. */
export async function fullSince(store: Store): Promise<number | undefined> {
  const { redis } = store
  const servers = await readServerFacts(redis)
  if (servers.some(({ isNearlyFull }) => isNearlyFull)) {
    await redis.set(FULL, await currentTime(store), "NX")
    return Number(await redis.get(FULL))
  }
  await redis.del(FULL)
  return undefined
}

/** Tells the log and the admins once that Redis turns new requests away, each time that it does. */
export async function redisFullPass(context: Context): Promise<number> {
  const since = await fullSince(context.store)
  if (since !== undefined)
    await tellOnce(context, `told:redis_full:${since}`, {
      log: () => context.log.error({}, operatorLine(redisFull())),
      message: (admin) => redisFull(context.settings.access.admins, admin),
    })
  return EVERY_MS
}
