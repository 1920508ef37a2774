import type { Config } from "../../config/config.ts"
import type { Log } from "../../lib/log.ts"
import type { SecretFilter } from "../../lib/secrets.ts"
import { SlackClient } from "../../slack/client.ts"
import type { SlackState } from "../../slack/identity.ts"
import type { RedisClient } from "../../store/script.ts"
import { logUnlessAway } from "../../store/server-state.ts"
import type { CallCounts } from "../metrics/count-calls.ts"
import { checkGitHub } from "./check-github.ts"
import { redisInDoubt } from "./check-redis.ts"
import { keysInDoubt } from "./check-service.ts"
import { adminsInDoubt, checkScopes } from "./check-slack.ts"
import { type Finding, isWell } from "./finding.ts"

/** Parts of a bot that has just started. */
interface Started {
  config: Config
  log: Log
  secrets: SecretFilter
  requestRedis: RedisClient
  slack: { state: Pick<SlackState, "identity"> }
  callCounts: CallCounts
}

/**
 * Warns of what the doctor would find, as far as it is certain and cheap to know. Never stops the
 * start, because the bot can accept requests while Slack, the service or GitHub is away.
 */
export async function warnAtStart(started: Started): Promise<void> {
  const { config, log, secrets, requestRedis, callCounts } = started
  const { slack, access } = config
  const me = started.slack.state.identity
  // The client of the bot would log the answer about an unknown admin, too.
  const client = new SlackClient(slack.botToken, slack.apiUrl, log, { onCall: callCounts.slack })
  const checks = [
    redisInDoubt(requestRedis),
    keysInDoubt(config, secrets, callCounts.service),
    faultsOf(() => checkGitHub(config, undefined, secrets)),
    ...(me
      ? [faultsOf(() => checkScopes(slack, me.scopes)), adminsInDoubt(client, me, access)]
      : []),
  ]
  const failed = "a check of the setup failed; run the doctor"
  const done = checks.map((check) => check.catch(logUnlessAway(log, failed, [])))
  const found = (await Promise.all(done)).flat()
  const distinct = new Map(found.map(({ says, next }) => [says, next]))
  for (const [says, next] of distinct) log.warn({ next }, says)
}

/** Leaves out what a check only could not find out. */
async function faultsOf(check: () => Promise<Finding[]> | Finding): Promise<Finding[]> {
  return [await check()].flat().filter((finding) => !isWell([finding]))
}
