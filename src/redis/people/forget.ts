import type { Forgetting } from "../../audit/entry.ts"
import { WINDOW_MS } from "../../config/timing.ts"
import { queueOf } from "../../jobs/queues.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { idSource } from "../id-source.ts"
import { JOB_PREFIX, jobKeys, KEEP_MS, keys, queueKeys } from "../keys.ts"
import { forgetOwnOf } from "../own.ts"
import { endQueued } from "../queue/enqueue.lua.ts"
import { forgetPlace } from "../queue/fair-order.lua.ts"
import type { Now, RedisClient, Store } from "../script.ts"
import { forgetInAudit } from "./audit.ts"
import { forgetPrompts } from "./forget.lua.ts"
import { tracesOf } from "./traces.ts"

/** Ids of one script call. */
const CHUNK = 500
/** As long as Slack honours the address that a click is answered at. */
const ASKED_MS = 30 * 60_000

/**
 * Deletes the words of a person's prompts, whether they wait to be confirmed or sent or were sent
 * long ago, the person's reports, their name in the audit, and their cached profile. What the bot
 * needs to go on stays: ids of jobs of the last week, and who used the slots of the hour.
 */
export function createForget(
  redis: RedisClient,
  { queues, now }: { queues: () => Promise<readonly string[]>; now?: Now },
): Forgetting {
  const on = { redis, now }
  const newId = idSource()
  return {
    async ask(user) {
      const id = newId()
      await redis.set(keys.forgetting(user), id, "PX", ASKED_MS)
      return id
    },

    async answered(user, id) {
      const key = keys.forgetting(user)
      const asked = await typed(key, redis.get(key), ignoreBroken)
      return asked === id && (await redis.del(key)) === 1
    },

    async forget(user) {
      const ids = await idsOf(redis, user)
      const forgotten = { cancelled: 0, running: 0 }
      for (let from = 0; from < ids.length; from += CHUNK) {
        const chunk = ids.slice(from, from + CHUNK)
        const { cancelled, running } = await forgetJobs(on, user, chunk)
        forgotten.cancelled += cancelled
        forgotten.running += running
      }
      // After the jobs, which note nothing from here on.
      await forgetInAudit(redis, user)
      await forgetOwnOf(on, user)
      await redis.del(keys.profile(user), keys.forgetting(user))
      await redis.srem(keys.greeted, user)
      const place = { user, windowMs: WINDOW_MS, jobPrefix: JOB_PREFIX }
      for (const queue of await queues()) await forgetPlace(on, queueKeys(queue, user), place)
      return forgotten
    },
  }
}

/** Ids of all jobs that a person has words of. */
async function idsOf(redis: RedisClient, user: string): Promise<string[]> {
  const key = keys.user(user)
  const jobs = (await typed(key, redis.zrange(key, "0", "-1"), ignoreBroken)) ?? []
  return [...new Set([...jobs, ...(await tracesOf(redis, user))])]
}

/** One that begins to run while it is cancelled is looked at again; it cannot go back and forth for ever. */
const ROUNDS = 5

async function forgetJobs(on: Store, user: string, ids: readonly string[]) {
  const words = {
    jobPrefix: JOB_PREFIX,
    promptPrefix: keys.prompt(""),
    replyPrefix: keys.reply(""),
  }
  let [cancelled, running, left] = [0, 0, ids]
  for (let round = 0; left.length > 0 && round < ROUNDS; round += 1) {
    const [started, waiting] = await forgetPrompts(on, { mine: keys.user(user) }, words, left)
    running += started
    for (const id of waiting) cancelled += await cancel(on, id)
    left = waiting
  }
  return { cancelled, running }
}

/** Takes back what still waits, words and all. 1 if it did. */
async function cancel(on: Store, id: string): Promise<number> {
  const [user, project, follows] = await on.redis.hmget(keys.job(id), "user", "project", "follows")
  const queue = queueOf({ project: project ?? "", follows: follows ?? undefined })
  const own = { ...jobKeys(id), ...queueKeys(queue, user ?? "") }
  const args = { id, ending: "cancelled", detail: "", keepMs: KEEP_MS, wordsMs: 0 }
  return endQueued(on, own, args)
}
