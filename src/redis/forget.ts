import type { Forget } from "../audit/entry.ts"
import { WINDOW_MS } from "../config/timing.ts"
import { ignoreBroken, typed } from "./broken.ts"
import { JOB_PREFIX, keys, queueKeys } from "./keys.ts"
import { forgetOwnOf } from "./own.ts"
import type { Now, RedisClient } from "./script.ts"
import { forgetEntries, forgetPrompts } from "./scripts/audit.ts"
import { forgetPlace } from "./scripts/own.ts"
import { tracesOf } from "./traces.ts"

/** Ids of one script call. */
const CHUNK = 500

/**
 * Words of a person's prompts, waiting to be confirmed or sent long ago, their reports, their place in
 * the audit, and their cached name. What stays is what the bot needs to go on: ids of jobs of the last
 * week, requests that still wait, and who took the places of the hour.
 */
export function createForget(
  redis: RedisClient,
  { queues, now }: { queues: () => Promise<readonly string[]>; now?: Now },
): Forget {
  const on = { redis, now }
  return async (user) => {
    const [jobs = [], audited = []] = await Promise.all(
      [keys.user(user), keys.auditsOf(user)].map((key) =>
        typed(key, redis.zrange(key, "0", "-1"), ignoreBroken),
      ),
    )
    const ids = [...new Set([...jobs, ...audited, ...(await tracesOf(redis, user))])]
    const words = {
      jobPrefix: JOB_PREFIX,
      promptPrefix: keys.prompt(""),
      replyPrefix: keys.reply(""),
    }
    const entries = { prefix: keys.audit(""), wordsPrefix: keys.auditWords("") }
    let kept = 0
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = ids.slice(from, from + CHUNK)
      kept += await forgetPrompts(on, { mine: keys.user(user) }, words, chunk)
      await forgetEntries(on, {}, entries, chunk)
    }
    await forgetOwnOf(on, user)
    await redis.del(keys.auditsOf(user), keys.profile(user))
    const place = { user, windowMs: WINDOW_MS, jobPrefix: JOB_PREFIX }
    for (const queue of await queues()) await forgetPlace(on, queueKeys(queue, user), place)
    return { kept }
  }
}
