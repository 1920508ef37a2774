import { orSlackError, SlackError } from "../errors/slack-error.ts"
import { pollPulls } from "../pulls/poll-pulls.ts"
import { createRefusedNotice } from "../pulls/refused-notice.ts"
import { fingerprintOf } from "../redis/key-fingerprint.ts"
import { gitHubRefused } from "../views/admin-notice.ts"
import type { PullServices } from "./pulls.ts"
import type { Services } from "./services.ts"

const REFUSED = {
  token: "GitHub rejected the token, so pull requests aren't followed; set a new GITHUB_TOKEN",
  repository:
    "the GitHub token can't read a repository, so its pull requests aren't followed; give it read access",
}

/** The pass that polls pull requests, with all it needs. */
export function pullPolling(
  { config, work, outbound, log, timing, profileOf }: Services,
  { store, github, budget }: PullServices,
): () => Promise<number> {
  const { github: settings } = config
  const onRefused = createRefusedNotice({
    queue: work.queue,
    outbound,
    admins: config.access.admins,
    tokenFingerprint: settings ? fingerprintOf(settings.token) : "",
    view: gitHubRefused,
    log: (what, { owner, repo }) => log.error({ owner, repo }, REFUSED[what]),
  })
  const deps = {
    pulls: store,
    github,
    budget,
    jobs: work.jobs,
    async zoneOf(user: string) {
      const profile = await profileOf(user).catch(orSlackError)
      return profile instanceof SlackError ? undefined : profile.timeZone
    },
    reminderDays: settings ? settings.reminderDays : 0,
    intervals: timing.pulls,
    onRefused,
  }
  return () => pollPulls(deps)
}
