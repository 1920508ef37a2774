import { previewPass } from "./after/preview-pass.ts"
import { followLinks, pollPullsSoon, pullPass } from "./after/pull-pass.ts"
import { reminderPass } from "./after/reminder-pass.ts"
import { readReview } from "./after/review-request.ts"
import { sessionPass, showAgain } from "./after/session-pass.ts"
import type { composeSlack } from "./compose-slack.ts"
import { fingerprint } from "./config/secret.ts"
import { createGitHubPulls } from "./github/client.ts"
import type { JobsDeps } from "./jobs/deps.ts"
import type { Stop } from "./jobs/dispatch.ts"
import type { Log } from "./runtime/log.ts"
import type { Pass } from "./runtime/loop.ts"
import type { SecretFilter } from "./text/secret-filter.ts"

interface AfterOptions {
  log: Log
  secrets: SecretFilter
  slack: ReturnType<typeof composeSlack>
  /** Dependencies of the listeners; their Redis commands fail after 2 s instead of waiting. */
  front: JobsDeps
  work: JobsDeps
  onSurfaceOff: (code: string) => void
}

/**
 * Builds the passes for previews and agent sessions and, with `GITHUB_TOKEN`, those for pull
 * requests and reminders. Without the token, cards only show links to pull requests.
 */
export function composeAfter({ slack, front, work, ...others }: AfterOptions) {
  const { jobs, timing } = work
  const { github: settings, reminderDays } = work.config
  const deps = { ...slack, ...work, ...others, reminderDays }
  const timeoutMs = timing.gitHubTimeoutMs
  const github = settings && createGitHubPulls({ ...settings, timeoutMs }, others.secrets)
  const tokenHash = settings ? fingerprint(settings.token) : ""
  return {
    onLink: settings && followLinks(jobs, settings.apiUrl, timing.pulls.firstMs),
    pollSoon: async (ids: readonly string[]) => {
      if (github) await pollPullsSoon(front.store, front.jobs, ids)
    },
    readReview:
      github &&
      (async (id: string) => {
        const found = await front.jobs.find(id)
        return found && readReview(github, found.job)
      }),
    showAgain: (channel: string, root: string) =>
      showAgain(front.store, front.jobs, { channel, root }),
    passes: ({ forceStop }: Stop): Record<string, Pass> => ({
      previews: () => previewPass(deps),
      sessions: () => sessionPass({ ...deps, forceStop }),
      ...(github && {
        pulls: () => pullPass({ ...deps, github, tokenHash }),
        reminders: () => reminderPass(deps),
      }),
    }),
  }
}
