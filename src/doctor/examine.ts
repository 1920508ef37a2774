import { type Config, secretsOf } from "../config/config.ts"
import type { Log } from "../runtime/log.ts"
import type { RedisClient } from "../store/script.ts"
import { createSecretFilter, parseCleaned } from "../text/secret-filter.ts"
import { about, type Finding, isWell } from "./finding.ts"
import { checkGitHub } from "./github.ts"
import { checkQueues } from "./queues.ts"
import { checkRedis, storeFault } from "./redis.ts"
import { checkService } from "./service.ts"
import { checkSlack } from "./slack.ts"

/**
 * Checks Redis, then the rest at once; returns findings in the order in which to fix them. Starts
 * no job. A Redis that fails during the other checks is one more finding.
 * @param redis a connection, or the finding that explains why there is none
 */
export async function examine(config: Config, redis: RedisClient | Finding, log: Log) {
  const secrets = createSecretFilter(secretsOf(config))
  const store =
    "check" in redis ? [redis] : await checkRedis(redis, config.store.kind === "embedded")
  // A Redis that may drop keys, or is nearly full, still answers the other checks.
  const isUsable = isWell(store.filter(({ check }) => !/persistence|memory/.test(check)))
  const answering = "check" in redis || !isUsable ? undefined : redis
  const checks: Promise<Finding | Finding[]>[] = [
    checkSlack(config, answering, log),
    checkService(config, answering, secrets),
    checkGitHub(config, secrets),
    ...(answering ? [checkQueues(config.docs, answering)] : []),
  ]
  const others = await Promise.all(checks.map((check) => check.catch(storeFault)))
  const found = [...checkSettings(config), ...store, ...others.flat()]
  const distinct = [...new Map(found.map((one) => [one.says, one])).values()]
  // Findings contain no secrets of their own; this removes any from other parties' text.
  return parseCleaned(secrets, JSON.stringify(distinct)) as Finding[]
}

function checkSettings({ warnings, access }: Config): Finding[] {
  const { ok, warning } = about("settings")
  const next = "Correct the name, or remove it; .github/SETTINGS.md explains each setting."
  const found = warnings.map((says) => warning(says, next))
  if (access.admins.size === 0)
    found.push(
      warning(
        "ADMIN_USERS is empty: nobody gets notices in Slack, and nobody can resume a paused queue",
        "Set ADMIN_USERS to the member IDs of one or two people (profile → ⋮ → Copy member ID).",
      ),
    )
  return found.length > 0 ? found : [ok("All settings are valid")]
}
