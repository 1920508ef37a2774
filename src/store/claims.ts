import { randomUUID } from "node:crypto"
import { z } from "zod"
import { key } from "./redis-keys.ts"
import { type RedisClient, type Store, script } from "./script.ts"

/** Value of a claim whose work is done, instead of its claimant. */
const DONE = "done"

/**
 * Lua. Takes a key for a claimant and returns who holds it. `SET NX` would answer with nothing but
 * "taken" when ioredis resends it after a lost reply, although the claimant itself had taken it.
 * A claim whose end is further away than any lasts is from before the clock was set back, as is the
 * key's own expiry: it counts as ended.
 */
const takeScript = script(
  z.string(),
  "claimed",
  "claimant ms",
  `
local holder, ends = string.match(redis.call('GET', claimed) or '', '^(%S+) ?(%d*)$')
if holder and (tonumber(ends) or 0) - now <= tonumber(ms) then return holder end
redis.call('SET', claimed, claimant .. ' ' .. string.format('%.0f', now + ms), 'PX', ms)
return claimant
`,
)

const releaseScript = script(
  z.number(),
  "claimed",
  "claimant",
  `
local holder = string.match(redis.call('GET', claimed) or '', '^%S+')
return holder == claimant and redis.call('DEL', claimed) or 0
`,
)

/**
 * Claims a key for `ms`. Returns true to one claimant among all processes, and to that one as often
 * as it asks. @param claimant who asks, if it may ask again later, for example after a crash
 */
export async function claimKey(
  store: Store,
  name: string,
  ms: number,
  claimant: string = randomUUID(),
): Promise<boolean> {
  return (await takeScript(store, { claimed: name }, { claimant, ms })) === claimant
}

/** Ends a claim, unless it has run out and another claimant has it by now. */
export async function releaseKey(redis: RedisClient, name: string, claimant: string) {
  await releaseScript({ redis }, { claimed: name }, { claimant })
}

/** Returns true to at most one caller among all processes within `ms`. */
export function isFirst(store: Store, task: string, ms: number): Promise<boolean> {
  return claimKey(store, onceKey(task), ms)
}

/** Time in ms after which an action that has not ended counts as one whose process died. */
const ACTING_MS = 30_000

/**
 * Claims to act on something once within `ms`; returns `acting` while another claimant does, `done`
 * if one has. The claim ends with `done`, or with `failed`, after which the next claimant may act. If
 * the process dies in between, it ends after half a minute.
 */
export async function claimAct(store: Store, claimed: string, ms: number) {
  const { redis } = store
  const claimant = randomUUID()
  const holder = await takeScript(store, { claimed }, { claimant, ms: ACTING_MS })
  if (holder !== claimant) return holder === DONE ? DONE : "acting"
  return {
    done: async () => void (await redis.set(claimed, DONE, "PX", ms)),
    failed: () => releaseKey(redis, claimed, claimant),
  }
}

export function onceKey(task: string): string {
  return key("once", task)
}
