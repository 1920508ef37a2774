import type { Config } from "../config/config.ts"
import { secretsOf } from "../config/secrets-of.ts"
import type { RedisClient } from "../redis/script.ts"
import type { Log } from "../runtime/log.ts"
import { createSecretFilter } from "../text/secret-filter.ts"
import { type Finding, ok, warning } from "./finding.ts"
import { checkGitHub } from "./github.ts"
import { checkRedis } from "./redis.ts"
import { checkService } from "./service.ts"
import { checkSlack } from "./slack.ts"

/**
 * Checks everything at once, in the order in which to fix it. Changes nothing and starts no job.
 * @param redis a connection, or why there is none
 */
export async function examine(
  config: Config,
  redis: RedisClient | Finding,
  log: Log,
): Promise<Finding[]> {
  const secrets = createSecretFilter(secretsOf(config))
  const store =
    "check" in redis
      ? { findings: [redis] }
      : await checkRedis(redis, config.store.kind === "embedded")
  const { answering } = { answering: undefined, ...store }
  const [slack, service, gitHub] = await Promise.all([
    checkSlack(config, answering, { log, secrets }),
    checkService(config, answering, secrets),
    checkGitHub(config, secrets),
  ])
  const findings = [...checkSettings(config), ...store.findings, ...slack, ...service, ...gitHub]
  // Findings are made without secrets; should a foreign text carry one, it ends here.
  return findings.map(({ says, next, ...finding }) => ({
    ...finding,
    says: secrets.clean(says),
    ...(next ? { next: secrets.clean(next) } : {}),
  }))
}

function checkSettings({ warnings, access }: Config): Finding[] {
  const admins = warning(
    "settings",
    "ADMIN_USERS is empty: nobody gets notices in Slack or can resume a paused queue",
    "Set ADMIN_USERS to the member IDs of one or two people (profile → ⋮ → Copy member ID).",
  )
  const found = [
    ...warnings.map(({ says, next }) => warning("settings", says, next)),
    ...(access.admins.size === 0 ? [admins] : []),
  ]
  return found.length > 0 ? found : [ok("settings", "All settings are valid")]
}
