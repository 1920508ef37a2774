import { type Config, TIMING } from "../../config/config.ts"
import { fingerprint, type SecretFilter } from "../../lib/secrets.ts"
import { faultNotice } from "../../messages/admin-notices.ts"
import { date } from "../../messages/mrkdwn.ts"
import { checkToken, gitHubApi } from "../../pulls/github-client.ts"
import type { RedisClient } from "../../store/script.ts"
import { gitHubNotices } from "../find-troubles.ts"
import { about, type Finding, findingOf } from "./finding.ts"
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
): Promise<Finding[]> {
  if (!github) return [ok("GITHUB_TOKEN isn't set: pull request status isn't shown")]
  const setup = { isInContainer }
  const api = gitHubApi({ ...github, timeoutMs: TIMING.gitHubTimeoutMs }, secrets)
  const answer = await checkToken(api)
  if (answer.result === "works") {
    const notices = redis ? await gitHubNotices({ redis }, fingerprint(github.token), setup) : []
    // The token works by now.
    const open = notices.filter(({ fault }) => fault !== "github_token")
    if (open.length > 0) return open.map((notice) => findingOf("github", notice))
    return [ok("GITHUB_TOKEN works (access to repositories isn't tested)")]
  }
  if (answer.result === "limited" && answer.until !== undefined)
    return [findingOf("github", faultNotice("github_limit", { until: date(answer.until) }))]
  if (answer.result === "refused") return [findingOf("github", faultNotice("github_token", setup))]
  const party = { name: "GitHub", url: github.apiUrl, setting: "GITHUB_API_URL" }
  const unreached = answer.result === "unclear" && whyNoConnection(answer.cause, party)
  return [unreached ? fault(unreached.says, unreached.next) : FINDINGS[answer.result]]
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
