import { type Config, secretsOf } from "../../config/config.ts"
import type { Log } from "../../lib/log.ts"
import { createSecretFilter, parseCleaned } from "../../lib/secret-filter.ts"
import type { RedisClient } from "../../store/script.ts"
import { isStoreAway } from "../../store/server-state.ts"
import { checkGitHub } from "./check-github.ts"
import { checkPlace } from "./check-place.ts"
import { checkQueues } from "./check-queues.ts"
import { checkRedis, storeFault } from "./check-redis.ts"
import { checkService } from "./check-service.ts"
import { checkSettings } from "./check-settings.ts"
import { checkSlack } from "./check-slack.ts"
import { about, type Finding, isWell } from "./finding.ts"

/**
 * Checks Redis, then the rest at once; returns findings in the order in which to fix them. Starts
 * no job. A Redis that fails during the other checks is one more finding.
 * @param redis a connection, or the finding that explains why there is none
 */
export async function examine(config: Config, redis: RedisClient | Finding, log: Log) {
  const secrets = createSecretFilter(secretsOf(config))
  const store = "check" in redis ? [redis] : await checkRedis(redis, config)
  // A Redis that may drop keys, or is nearly full, still answers the other checks.
  const isUsable = isWell(store.filter(({ check }) => !/persistence|memory/.test(check)))
  const answering = "check" in redis || !isUsable ? undefined : redis
  const checks: Promise<Finding | Finding[]>[] = [
    checkSlack(config, answering, log),
    checkService(config, answering, secrets),
    checkPlace(config),
    checkGitHub(config, answering, secrets),
    ...(answering ? [checkQueues(config, answering)] : []),
  ]
  const others = await Promise.all(checks.map((check) => check.catch(brokenCheck)))
  const found = [...checkSettings(config), ...store, ...others.flat()]
  const distinct = [...new Map(found.map((one) => [one.says, one])).values()]
  // Findings contain no secrets of their own; this removes any from other parties' text.
  return parseCleaned(secrets, JSON.stringify(distinct)) as Finding[]
}

/** Turns an error of a check into a finding: of Redis, if it was, and of nothing else. */
function brokenCheck(error: unknown): Finding {
  if (isStoreAway(error) || (error instanceof Error && error.name === "ReplyError"))
    return storeFault(error)
  const says = error instanceof Error ? error.message : String(error)
  return about("doctor").fault(`A check ended early: ${says}`, "Run the doctor again.")
}
