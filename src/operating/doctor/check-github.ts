import type { Config } from "../../config/config.ts"
import { TIMING } from "../../config/timing.ts"
import { fingerprint } from "../../lib/secret.ts"
import type { SecretFilter } from "../../lib/secret-filter.ts"
import { type GitHubLimit, gitHubLimited } from "../../messages/admin-notices.ts"
import { FAULTS } from "../../messages/faults.ts"
import { checkToken, gitHubApi } from "../../pulls/github-client.ts"
import { limitInForce, refusedRepositories } from "../../pulls/github-limit.ts"
import { currentTime, type RedisClient } from "../../store/script.ts"
import { about, type Finding, wordsOfFault } from "./finding.ts"
import { whyNoConnection } from "./proxies-and-certificates.ts"

const { ok, warning, fault } = about("github")

/**
 * Checks whether GitHub accepts the token and its limit has room; without one, nothing asks GitHub.
 * @param redis absent if it can't be read
 */
export async function checkGitHub(
  { github, isInContainer }: Config,
  redis: RedisClient | undefined,
  secrets: SecretFilter,
): Promise<Finding> {
  if (!github) return ok("GITHUB_TOKEN isn't set: pull request status isn't shown")
  const api = gitHubApi({ ...github, timeoutMs: TIMING.gitHubTimeoutMs }, secrets)
  const answer = await checkToken(api)
  if (answer.result === "works")
    return (
      (await checkUse(github, redis)) ??
      ok("GITHUB_TOKEN works (access to repositories isn't tested)")
    )
  if (answer.result === "limited" && answer.until !== undefined)
    return limited({ fault: "github_limit", until: answer.until })
  if (answer.result === "refused")
    return fault(
      "GitHub rejected GITHUB_TOKEN: pull request status isn't updated",
      FAULTS.github_token.next({ isInContainer }),
    )
  const party = { name: "GitHub", setting: "GITHUB_API_URL" }
  const unreached = answer.result === "unclear" && whyNoConnection(answer.cause, party)
  if (unreached) return fault(unreached.says, unreached.next)
  return FINDINGS[answer.result]
}

/** Looks for what holds polls back: a pause, the bot's share being used up, or a refused repository. */
async function checkUse({ token }: NonNullable<Config["github"]>, redis: RedisClient | undefined) {
  if (!redis) return undefined
  const store = { redis }
  const limit = await limitInForce(store, fingerprint(token), await currentTime(store))
  if (limit) return limited(limit)
  const refused = await refusedRepositories(store, fingerprint(token))
  if (refused.length === 0) return undefined
  return warning(...wordsOfFault("github_repository", refused.join(", ")))
}

function limited(limit: GitHubLimit): Finding {
  const { says, next } = gitHubLimited(limit)
  return warning(says, next)
}

const CHECK_URL =
  "Check GITHUB_API_URL (GitHub Enterprise: https://HOST/api/v3), and make sure the machine Docs Agent runs on can reach it."

const FINDINGS = {
  limited: warning(
    "GITHUB_TOKEN wasn't checked: GitHub's rate limit has been reached",
    "Run the doctor again in an hour.",
  ),
  unclear: fault("Couldn't check GITHUB_TOKEN: GitHub didn't respond as expected", CHECK_URL),
  not_github: fault("GITHUB_API_URL doesn't point to the GitHub API", CHECK_URL),
}
