import { createGitHubBudget } from "./after/github-budget.ts"
import { previewPass } from "./after/preview-pass.ts"
import { followLinks, lookSoon, pullPass } from "./after/pull-pass.ts"
import { reminderPass } from "./after/reminder-pass.ts"
import { readReview } from "./after/review-request.ts"
import { sessionPass, showAgain } from "./after/session-pass.ts"
import { createSurface } from "./after/surface.ts"
import type { composeSlack } from "./compose-slack.ts"
import type { Config } from "./config/config.ts"
import { printOfKey } from "./config/secret.ts"
import type { Timing } from "./config/timing.ts"
import type { DocsApi } from "./docs/client.ts"
import { orSlackError } from "./errors/slack-error.ts"
import { createGitHubPulls } from "./github/client.ts"
import type { PullRef } from "./github/pull.ts"
import { tellOnce } from "./jobs/admin-notices.ts"
import type { JobsDeps } from "./jobs/deps.ts"
import type { Stop } from "./jobs/dispatch.ts"
import { type Job, threadOf } from "./jobs/job.ts"
import { gitHubRefused } from "./messages/admin-notice.ts"
import { sessionTitle } from "./messages/help.ts"
import { say } from "./messages/private.ts"
import { reminderMessage } from "./messages/reminder.ts"
import type { Log } from "./runtime/log.ts"
import type { Pass } from "./runtime/loop.ts"
import type { SecretFilter } from "./text/secret-filter.ts"

/** The most requests of one reading: the pull request, its pages of reviews, its files. */
const MOST_REQUESTS = 9

const REFUSED = {
  token: "GitHub rejected the token, so pull requests aren't tracked; set a new GITHUB_TOKEN",
  repository:
    "the GitHub token can't read a repository, so its pull requests aren't tracked; give it read access",
}

interface AfterOptions {
  config: Config
  log: Log
  timing: Timing
  secrets: SecretFilter
  docs: DocsApi
  slack: ReturnType<typeof composeSlack>
  work: JobsDeps
  /** Called when Slack does not offer a feature to this app, so that the bot does not try it for a day. */
  onSurfaceOff: (code: string) => void
}

/**
 * Wires the work that follows the link: the pull request, its reviews and previews, reminders, and
 * Slack's sessions.
 */
export function composeAfter(options: AfterOptions) {
  const { config, timing, docs, slack, work } = options
  const { store, jobs, operations, outbound, profileOf } = work
  const sessions = createSurface(store.redis)
  const pulls = composePulls(options)
  const leaseMs = timing.leaseMs + config.docs.timeoutMs
  const previewsOf = async (job: Job, user: string) => {
    const to = { channel: job.channel, thread: threadOf(job) }
    // The bot posts nothing ephemeral in its own direct message, because Slack does not promise to
    // show it.
    const isOwn = job.channel.startsWith("D") && (await slack.isOwnDirect(job.channel))
    const said = isOwn
      ? outbound.post(to, say("no_previews"))
      : outbound.postEphemeral({ ...to, user }, say("no_previews"))
    await said.catch(orSlackError)
  }
  return {
    onLink: pulls?.onLink,
    pollSoon: pulls?.pollSoon ?? (async () => {}),
    readReview: pulls?.readReview,
    showAgain: (channel: string, root: string) => showAgain(store, jobs, { channel, root }),
    passes: ({ forceStop }: Stop): Record<string, Pass> => ({
      previews: () =>
        previewPass({
          store,
          jobs,
          docs,
          operations,
          intervals: timing.previews,
          leaseMs,
          accountOf: (project) => work.printOf(project) || project,
          onAbsent: previewsOf,
        }),
      sessions: () =>
        sessionPass({
          store,
          jobs,
          surface: sessions,
          outbound,
          timing,
          title: (words) => sessionTitle(options.secrets.clean(words)),
          isInside: slack.isInside,
          forceStop,
          onOff: options.onSurfaceOff,
        }),
      ...(pulls
        ? {
            pulls: pulls.pass,
            reminders: () =>
              reminderPass({
                store,
                jobs,
                outbound,
                zoneOf: async (user) =>
                  (await profileOf(user).catch(orSlackError).then(zoneOf)) ?? undefined,
                days: config.github?.reminderDays ?? 0,
                leaseMs: timing.leaseMs,
                message: (stale) => reminderMessage(stale, config.gitHubHost),
              }),
          }
        : {}),
    }),
  }
}

function zoneOf(found: object): string | undefined {
  return "timeZone" in found && typeof found.timeZone === "string" ? found.timeZone : undefined
}

/** Absent without a token: cards then show only links. */
function composePulls({ config, log, timing, secrets, work, slack }: AfterOptions) {
  if (!config.github) return undefined
  const { token, apiUrl } = config.github
  const timeoutMs = timing.gitHubTimeoutMs
  const github = createGitHubPulls({ token, apiUrl, timeoutMs }, secrets)
  const { store, jobs } = work
  const print = printOfKey(token)
  const budget = createGitHubBudget(store, print)
  const onRefused = async (what: "token" | "repository", ref: PullRef) => {
    const about = what === "token" ? "token" : `${ref.owner}/${ref.repo}`.toLowerCase()
    const telling = { store, outbound: slack.outbound, rules: config.access }
    await tellOnce(telling, `told:github:${print}:${about}`, {
      log: () => log.error({ repository: `${ref.owner}/${ref.repo}` }, REFUSED[what]),
      message: () => gitHubRefused(what, ref),
    })
  }
  return {
    onLink: followLinks(jobs, apiUrl, timing.pulls.firstMs),
    pollSoon: (ids: readonly string[]) => lookSoon(store, jobs, ids),
    readReview: async (id: string) => {
      const found = await jobs.find(id)
      return found && readReview(github, found.job)
    },
    pass: () =>
      pullPass({
        jobs,
        github,
        budget,
        intervals: timing.pulls,
        leaseMs: timing.leaseMs + MOST_REQUESTS * timeoutMs,
        onRefused,
      }),
  }
}
