import type { Config } from "../config/config.ts"
import { TIMING } from "../config/timing.ts"
import { createGitHubPulls } from "../github/client.ts"
import type { GitHubPulls } from "../ports/github.ts"
import { fingerprintOf } from "../redis/key-fingerprint.ts"
import { createGitHubBudget } from "../redis/pulls/github-budget.ts"
import { seenRepositories } from "../redis/pulls/seen-repositories.ts"
import type { RedisClient } from "../redis/script.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

/** Absent where no token is configured. */
export type GitHubFacts =
  | { token: "works"; repositories: readonly RepositoryFacts[] }
  | { token: "refused" | "unclear" | "spent" }

interface RepositoryFacts {
  /** `owner/name` */
  name: string
  canRead: "yes" | "no" | "unclear"
}

/** Repositories that are looked at, those of the latest pull requests. */
const MOST = 10

/** For a doctor without a running bot around it; undefined where there is no token. */
export function gitHubOf({ github }: Config, secrets: SecretFilter): GitHubPulls | undefined {
  if (!github) return undefined
  return createGitHubPulls({ ...github, timeoutMs: TIMING.gitHubTimeoutMs }, secrets)
}

/** Asks GitHub about the token and what it may read. Counts in the bot's share of the hour. Never throws. */
export async function readGitHub(
  pulls: GitHubPulls | undefined,
  { github }: Config,
  redis: RedisClient | undefined,
): Promise<GitHubFacts | undefined> {
  if (!pulls || !github) return undefined
  const token = await pulls.checkToken()
  if (token !== "works") return { token }
  if (!redis) return { token, repositories: [] }
  const seen = await seenRepositories(redis, github.apiUrl, MOST)
  const budget = createGitHubBudget(redis, { tokenFingerprint: fingerprintOf(github.token) })
  if (seen.length > 0 && (await budget.take(seen.length)) > 0) return { token: "spent" }
  const repositories = await Promise.all(
    seen.map(async ({ owner, repo }) => {
      const canRead = await pulls.canRead({ owner, repo })
      return { name: `${owner}/${repo}`, canRead: canRead === "token" ? "no" : canRead }
    }),
  )
  return { token, repositories }
}

const ADDRESS =
  "Check GITHUB_API_URL and that this machine can reach it. Then run the doctor again."

/** Does GitHub take the token, and may it read what the bot follows? Pure. */
export function judgeGitHub(facts: GitHubFacts | undefined): Finding[] {
  switch (facts?.token) {
    case undefined:
      return [ok("github", "GITHUB_TOKEN isn't set: cards don't follow pull requests")]
    case "refused":
      return [
        fault(
          "github",
          "GitHub rejected GITHUB_TOKEN: cards don't follow pull requests",
          "Create a token that can read pull requests, set it and restart the bot, or leave GITHUB_TOKEN unset.",
        ),
      ]
    case "unclear":
      return [warning("github", "GitHub didn't say whether it accepts GITHUB_TOKEN", ADDRESS)]
    case "spent":
      return [
        warning(
          "github",
          "GitHub accepts GITHUB_TOKEN; what it can read wasn't checked, as the bot's share of its hour is used up",
          "Run the doctor again later in the hour.",
        ),
      ]
    case "works":
      return judgeRepositories(facts.repositories)
  }
}

function judgeRepositories(repositories: readonly RepositoryFacts[]): Finding[] {
  if (repositories.length === 0)
    return [ok("github", "GitHub accepts GITHUB_TOKEN; no pull request has been followed yet")]
  const named = (which: RepositoryFacts["canRead"]) =>
    repositories.flatMap(({ name, canRead }) => (canRead === which ? [name] : [])).join(", ")
  const [readable, hidden, unclear] = [named("yes"), named("no"), named("unclear")]
  return [
    ...(readable ? [ok("github", `GITHUB_TOKEN can read the pull requests of ${readable}`)] : []),
    ...(hidden
      ? [
          warning(
            "github",
            `GITHUB_TOKEN can't read the pull requests of ${hidden}`,
            "Give the token read access to pull requests there. Until then, cards only show the link.",
          ),
        ]
      : []),
    ...(unclear
      ? [warning("github", `GitHub didn't say whether the token can read ${unclear}`, ADDRESS)]
      : []),
  ]
}
