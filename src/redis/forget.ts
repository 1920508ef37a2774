import type { Forget } from "../audit/entry.ts"
import { WINDOW_MS } from "../config/timing.ts"
import { ignoreBroken, typed } from "./broken.ts"
import { JOB_PREFIX, keys } from "./keys.ts"
import { type Now, nowArgument, type RedisClient } from "./script.ts"
import { forgetEntries, forgetPrompts } from "./scripts/audit.ts"
import { forgetOwn, forgetPlace } from "./scripts/own.ts"
import { visitorsKeys } from "./visitors-keys.ts"

/** Ids of one script call. */
const CHUNK = 500

/**
 * Words of a person's prompts, waiting to be confirmed or sent long ago, their reports, their place in
 * the audit, and their cached name. What stays is what the bot needs to go on: ids of jobs of the last
 * week, requests that still wait, and who took the places of the hour.
 */
export function createForget(
  redis: RedisClient,
  { projects, now }: { projects: readonly string[]; now?: Now },
): Forget {
  const at = () => nowArgument(now)
  return async (user) => {
    const [jobs = [], audited = []] = await Promise.all(
      [keys.user(user), keys.auditsOf(user)].map((key) =>
        typed(key, redis.zrange(key, "0", "-1"), ignoreBroken),
      ),
    )
    const ids = [...new Set([...jobs, ...audited])]
    let kept = 0
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = ids.slice(from, from + CHUNK)
      const prefixes = [JOB_PREFIX, keys.prompt(""), keys.reply("")]
      kept += await forgetPrompts(redis, prefixes, [at(), ...chunk])
      const entries = [keys.audit(""), keys.auditWords("")]
      await forgetEntries(redis, entries, [at(), ...chunk])
    }
    await forgetOwn(redis, [keys.own(user), keys.draft(""), visitorsKeys.shown("")], [at()])
    await redis.del(keys.auditsOf(user), keys.profile(user))
    for (const project of projects) await forgetPlace(redis, ...placeOf(project, user, at()))
    return { kept }
  }
}

/** Keys and arguments of a person's place in one project. */
function placeOf(project: string, user: string, at: string): [string[], (string | number)[]] {
  const { last, log, wait, creating } = keys.project(project)
  const waiting = keys.waiting(project, user)
  return [
    [last, log, wait, creating, waiting, JOB_PREFIX],
    [at, user, WINDOW_MS],
  ]
}
