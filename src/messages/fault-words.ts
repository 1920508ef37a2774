import { ALLOWED_MORE } from "../jobs/job-keys.ts"
import type { KeyFault, PauseReason } from "../jobs/pause-record.ts"
import { foreignLine } from "./mrkdwn.ts"

/** Faults that end without anybody's help. Only those who wait are told. */
type PassingFault = "rate_limited" | "outage"

/** Name by which a fault outside of the bot is known everywhere; alerts and metrics use it, too. */
export type FaultName =
  | Exclude<PauseReason, PassingFault>
  | "unknown_hour"
  | "job_path"
  | "no_worker"
  | "github_token"
  | "github_repository"
  | "github_limit"
  | "github_share"
  | "redis_full"
  | "bot_token"
  | "app_token"

/** Facts about the deployment and the project, for the words of a fault. */
export interface Setup {
  isInContainer?: boolean
  /** Setting that holds the key. */
  setting?: string
  /** Host of the documentation service. */
  host?: string
  /** Repository that the GitHub token can't read, as owner/name. */
  repository?: string
  /** End of a limit or a wait, in words. */
  until?: string
}

interface Waited {
  /** True if requests wait until it is over. */
  pauses: boolean
  /** Words on the card of a request that waits. @param admin mentions whom to ask */
  card?: (admin: string) => string
}

interface Fault extends Waited {
  /** Words for admins, the log and /readyz: what is wrong. */
  is: (setup: Setup) => string
  /** Words for admins, the log, /readyz and the doctor: what to do about it. */
  next: (setup: Setup) => string
  /** True if it ends without anybody's help or breaks little: a warning, not an error. */
  isWarning?: true
  /** Words about the buttons of the notice, which `resume` and `drop` replace in a shell. */
  buttons?: string
}

interface FaultOfKey extends Fault {
  /** Words in place of a report's numbers, after a colon. @param admin mentions whom to ask */
  report: (admin: string) => string
}

/** Label of the button with which an admin extends a month. */
export const ALLOW_MORE = `Allow ${ALLOWED_MORE} more`

/** Everything outside that somebody hears of, in one place. */
export const FAULTS: Readonly<
  Record<FaultName, Fault> & Record<KeyFault, FaultOfKey> & Record<PassingFault, Waited>
> = {
  rate_limited: {
    pauses: true,
    card: () => ":hourglass_flowing_sand: *Waiting for the hourly limit*",
  },
  outage: {
    pauses: true,
    card: () => ":hourglass_flowing_sand: *The documentation service isn't responding*",
  },
  restored: {
    pauses: true,
    card: (admin) => `:warning: *Paused* until ${admin} resumes the queue`,
    is: () => "Redis holds older data than Docs Agent remembers: it was restored from a backup.",
    next: () =>
      "Decide whether the waiting requests should still start: people may have cancelled or repeated them since.",
    buttons: "*Resume* starts them. *Drop requests* cancels them.",
  },
  unknown_hour: {
    pauses: true,
    is: ({ until }) =>
      `Redis may be an older copy, and \`DATA_DIR\` doesn't have what was sent since: no request starts before ${until}, so that the hourly limit holds.`,
    next: () =>
      "The queue resumes on its own. What was sent or cancelled since isn't sent again unless somebody presses *Run again*. Keep `DATA_DIR` on a persistent disk, and Docs Agent won't have to wait.",
    isWarning: true,
  },
  key_refused: {
    pauses: true,
    card: (admin) => `:warning: *Paused* until ${admin} replaces the API key`,
    is: (setup) => `${serviceOf(setup)} rejected this project's API key (401).`,
    next: (setup) => `${newKey(setup)} The queue resumes on its own.`,
    report: (admin) => `the documentation service rejected the API key. Ask ${admin} to replace it`,
    buttons: "If the current key is still valid, press *Resume*.",
  },
  forbidden: {
    pauses: true,
    card: (admin) => `:warning: *Paused* until ${admin} fixes the API key's permissions`,
    is: (setup) =>
      `${serviceOf(setup)} doesn't allow this project's API key to start requests (403).`,
    next: () =>
      "On the API keys page of the service's dashboard, check that the key is an admin key for this project and that its IP allowlist includes the machine Docs Agent runs on.",
    report: (admin) =>
      `the API key can't read this. Ask ${admin} to check its permissions and IP allowlist`,
    buttons: "Then press *Resume*.",
  },
  removed: {
    pauses: true,
    isWarning: true,
    card: (admin) => `:warning: *Paused* until ${admin} adds the project back`,
    is: () => "Requests are waiting for a project that isn't in the settings",
    next: () =>
      "Add the project again, under any name: its ID and DOCS_API_URL must be the same as before. Or cancel the requests in Slack.",
  },
  month_full: {
    pauses: true,
    isWarning: true,
    card: () => ":hourglass_flowing_sand: *Waiting: this month's requests are used up*",
    is: () => "Docs Agent has sent as many requests this month as JOBS_PER_MONTH allows",
    next: (setup) =>
      `To send more before then, press *${ALLOW_MORE}* as an admin, or raise \`JOBS_PER_MONTH\` and ${takeEffect(setup)}.`,
  },
  job_path: {
    pauses: false,
    is: (setup) =>
      `${serviceOf(setup)} can't find requests it accepted (404). The agent may be working, but results won't appear in Slack.`,
    next: (setup) =>
      `Check \`DOCS_JOB_PATH\` against "Get agent job" in your service's API reference, correct it, and ${takeEffect(setup)}.`,
  },
  no_worker: {
    pauses: false,
    is: () => "*No worker is running.*",
    next: () =>
      "Start a worker (`node dist/main.js worker`). If one should be running, check its log.",
  },
  github_token: {
    pauses: false,
    is: () =>
      "*GitHub rejected GITHUB_TOKEN.* Pull request status no longer updates; links still work.",
    next: (setup) => `Set a new \`GITHUB_TOKEN\`, or remove it, and ${takeEffect(setup)}.`,
  },
  github_repository: {
    pauses: false,
    isWarning: true,
    is: ({ repository = "" }) =>
      `*The GitHub token can't read ${foreignLine(repository, 150)}.* Pull request status no longer updates there; links still work.`,
    next: () => "Give the token *Pull requests: read* for this repository.",
  },
  github_limit: {
    pauses: false,
    isWarning: true,
    is: ({ until }) => `GitHub's request limit for GITHUB_TOKEN is used up until ${until}`,
    next: () =>
      "Pull request status updates again after that. If other programs use the token, give Docs Agent one of its own.",
  },
  github_share: {
    pauses: false,
    isWarning: true,
    is: ({ until }) =>
      `Docs Agent has used its half of GitHub's hourly request limit until ${until}`,
    next: () => "New pull requests still show at once; reviews and merges show late until then.",
  },
  redis_full: {
    pauses: false,
    is: () =>
      "*Redis is almost full.* Redis has used 90% of its memory, so Docs Agent turns new requests away. Queued ones aren't affected.",
    next: () => "Raise maxmemory in Redis, or add memory.",
  },
  bot_token: {
    pauses: false,
    is: () => "Slack rejected SLACK_BOT_TOKEN",
    next: (setup) =>
      `Copy the Bot User OAuth Token again from the app's "OAuth & Permissions" page, set it as SLACK_BOT_TOKEN, and ${takeEffect(setup)}.`,
  },
  app_token: {
    pauses: false,
    is: () => "Slack rejected SLACK_APP_TOKEN",
    next: (setup) =>
      `Create an app-level token with connections:write on the app's "Basic Information" page, set it as SLACK_APP_TOKEN, and ${takeEffect(setup)}.`,
  },
}

function serviceOf({ host = "" }: Setup): string {
  return `The documentation service (${foreignLine(host, 80)})`
}

/** Says how to replace a key that the service rejects. */
export function newKey(setup: Setup): string {
  return `Create a new admin key on the API keys page of the service's dashboard, set it in \`${setup.setting}\`, and ${takeEffect(setup)}.`
}

/** Says how a changed setting takes effect: a restarted container keeps its old environment. */
export function takeEffect({ isInContainer }: Pick<Setup, "isInContainer">): string {
  return isInContainer
    ? "create the container again (`docker compose up -d`, or `docker rm -f` and `docker run`), because a restart keeps the old settings"
    : "restart Docs Agent"
}
