import type { Config } from "../../config/config.ts"
import { TIMING } from "../../config/timing.ts"
import type { SecretFilter } from "../../lib/secret-filter.ts"
import { createGitHubPulls } from "../../pulls/github-client.ts"
import { about, type Finding } from "./finding.ts"

const { ok, warning, fault } = about("github")

/** Checks whether GitHub accepts the token; without one, nothing asks GitHub. */
export async function checkGitHub({ github }: Config, secrets: SecretFilter): Promise<Finding> {
  if (!github) return ok("GITHUB_TOKEN isn't set: pull request status isn't shown")
  const pulls = createGitHubPulls({ ...github, timeoutMs: TIMING.gitHubTimeoutMs }, secrets)
  const answer = await pulls.checkToken()
  if (answer === "works") return ok("GITHUB_TOKEN works (access to repositories isn't tested)")
  if (answer === "refused")
    return fault(
      "GitHub rejected GITHUB_TOKEN: pull request status isn't updated",
      "Set GITHUB_TOKEN to a token that can read pull requests, or remove it. Then restart Docs Agent.",
    )
  const next =
    "Check GITHUB_API_URL (GitHub Enterprise: https://HOST/api/v3), and make sure the machine Docs Agent runs on can reach it."
  const limited = "GITHUB_TOKEN wasn't checked: GitHub's rate limit has been reached"
  if (answer === "limited") return warning(limited, "Run the doctor again in an hour.")
  return answer === "unclear"
    ? fault("Couldn't check GITHUB_TOKEN: GitHub didn't respond as expected", next)
    : fault("GITHUB_API_URL doesn't point to the GitHub API", next)
}
