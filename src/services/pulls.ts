import type { Config } from "../config/config.ts"
import type { Timing } from "../config/timing.ts"
import { createGitHubPulls } from "../github/client.ts"
import { pullRefOf } from "../github/links.ts"
import type { Followed } from "../jobs/job.ts"
import type { GitHubPulls } from "../ports/github.ts"
import type { GitHubBudget, PullStore } from "../pulls/ports.ts"
import type { OnBroken } from "../redis/broken.ts"
import { fingerprintOf } from "../redis/key-fingerprint.ts"
import { createGitHubBudget } from "../redis/pulls/github-budget.ts"
import { createPullStore } from "../redis/pulls/store.ts"
import type { RedisClient } from "../redis/script.ts"
import type { SecretFilter } from "../text/secret-filter.ts"

/** Of one poll: the pull request, its reviews in pages, the repository. */
const MOST_REQUESTS = 8

export interface PullServices {
  store: PullStore
  github: GitHubPulls
  budget: GitHubBudget
  /** A job reported this link: where it is one of our GitHub's, its pull request is followed. */
  onLink: (job: Followed, prLink: string) => Promise<void>
  /** Somebody wants to see these. Over the connection that fails fast. */
  pollSoon: PullStore["pollSoon"]
}

/** Undefined where there is no token: links alone are shown. */
export function createPullServices(
  { github }: Config,
  { worker, requests }: { worker: RedisClient; requests: RedisClient },
  { timing, onBroken, secrets }: { timing: Timing; onBroken: OnBroken; secrets: SecretFilter },
): PullServices | undefined {
  if (!github) return undefined
  const { token, apiUrl } = github
  const timeoutMs = timing.gitHubTimeoutMs
  const leaseMs = timing.leaseMs + MOST_REQUESTS * timeoutMs
  const options = { leaseMs, onBroken, ...timing.pulls }
  const store = createPullStore(worker, apiUrl, options)
  const prompt = createPullStore(requests, apiUrl, options)
  return {
    store,
    github: createGitHubPulls({ token, apiUrl, timeoutMs }, secrets),
    budget: createGitHubBudget(worker, { tokenFingerprint: fingerprintOf(token) }),
    async onLink(job, prLink) {
      const ref = pullRefOf(prLink, apiUrl)
      if (ref) await store.watch(job.id, ref)
    },
    pollSoon: (ids) => prompt.pollSoon(ids),
  }
}
