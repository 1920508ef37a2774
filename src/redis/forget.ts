import type { Forget } from "../audit/entry.ts"
import { tellNobody, typed } from "./broken.ts"
import { JOB_PREFIX, keys } from "./keys.ts"
import { nowArgument, type RedisClient } from "./script.ts"
import { forgetEntries, forgetPrompts } from "./scripts/audit.ts"

/** Ids of one script call. */
const CHUNK = 500

/**
 * Words of a person's prompts, their place in the audit, and their cached name. What stays is what
 * the bot needs to go on: ids of jobs of the last week, and requests that still wait.
 */
export function createForget(redis: RedisClient): Forget {
  return async (user) => {
    const [jobs = [], audited = []] = await Promise.all(
      [keys.user(user), keys.auditsOf(user)].map((key) =>
        typed(key, redis.zrange(key, "0", "-1"), tellNobody),
      ),
    )
    const ids = [...new Set([...jobs, ...audited])]
    let kept = 0
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = ids.slice(from, from + CHUNK)
      const prefixes = [JOB_PREFIX, keys.prompt(""), keys.reply("")]
      kept += await forgetPrompts(redis, prefixes, [nowArgument(undefined), ...chunk])
      const entries = [keys.audit(""), keys.auditWords("")]
      await forgetEntries(redis, entries, [nowArgument(undefined), ...chunk])
    }
    await redis.del(keys.auditsOf(user), keys.profile(user))
    return { kept }
  }
}
