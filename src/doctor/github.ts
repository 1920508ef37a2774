import type { Config } from "../config/config.ts"
import { TIMING } from "../config/timing.ts"
import { createGitHubPulls } from "../github/client.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

const ADDRESS =
  "Check GITHUB_API_URL (GitHub Enterprise: https://HOST/api/v3) and that this machine can reach it."

/** Asks GitHub whether it accepts the token. Never throws. */
export async function checkGitHub({ github }: Config, secrets: SecretFilter): Promise<Finding[]> {
  if (!github) return [ok("github", "GITHUB_TOKEN isn't set: no pull request status on cards")]
  const pulls = createGitHubPulls({ ...github, timeoutMs: TIMING.gitHubTimeoutMs }, secrets)
  switch (await pulls.checkToken()) {
    case "works":
      return [ok("github", "GITHUB_TOKEN works")]
    case "refused":
      return [
        fault(
          "github",
          "GitHub rejected GITHUB_TOKEN: no pull request status on cards",
          "Create a token that can read pull requests, set it and restart the bot, or leave GITHUB_TOKEN unset.",
        ),
      ]
    case "not_github":
      return [fault("github", "GITHUB_API_URL doesn't point to the GitHub API", ADDRESS)]
    case "unclear":
      return [warning("github", "GitHub isn't responding", ADDRESS)]
  }
}
