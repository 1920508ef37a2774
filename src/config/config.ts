import { existsSync } from "node:fs"
import querystring from "node:querystring"
import { secret } from "../lib/secrets.ts"
import {
  crossFaults,
  type Env,
  type Settings,
  settings,
  unknownSettings,
} from "./environment-variables.ts"
import { isInContainer, WITH_ENV_FILE } from "./installation.ts"
import { type KeyedProject, type Projects, projectKey, readProjects } from "./projects.ts"

export type Config = ReturnType<typeof readConfig>

/** Settings of a running bot, with the intervals that only tests replace. */
export interface BotSettings extends Config {
  timing: Timing
  projects: Projects
}

/** Next step for whoever started the bot with invalid settings. */
export const CORRECT = "Correct these environment variables; .github/SETTINGS.md explains each one."

/** Error that names every invalid setting at once, without its value, which may be a secret. */
export class ConfigError extends Error {
  override name = "ConfigError"
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const list = faults.map((fault) => `  - ${fault}`).join("\n")
    const count = faults.length === 1 ? "1 problem" : `${faults.length} problems`
    super(`${count} in the settings:\n${list}\n${CORRECT}`)
    this.faults = faults
  }
}

/** Returns a hint if there is a `.env` file that neither Node nor anything else read, otherwise "". */
export function unreadEnvFile(env: Env, command: "all" | "doctor"): string {
  // Docker and Compose read the file, too, but pass on its settings instead of the option.
  const options = [...process.execArgv, ...process.argv.slice(2)]
  const isRead = env.SLACK_BOT_TOKEN || options.some((option) => option.startsWith("--env-file"))
  return existsSync(".env") && !isRead
    ? `\nThe .env file in this folder wasn't read. Run: ${WITH_ENV_FILE} ${command}`
    : ""
}

/**
 * Reads the configuration from the environment. An empty string counts as unset, because deployment
 * panels cannot always remove a variable.
 * @throws ConfigError naming every fault at once
 */
export function readConfig(env: Env) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""))
  const { data, error } = settings.safeParse(present)
  const listed = readProjects(present)
  const [first, ...others] = listed.projects
  const invalid = (error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0])
    return `${name} ${present[name] === undefined ? "is required" : message}`
  })
  const faults = [...invalid, ...crossFaults(present), ...listed.faults]
  const unknown = unknownSettings(present)
  if (!data || !first || faults.length > 0) throw new ConfigError([...new Set(faults), ...unknown])
  const keyed = (one: typeof first) => ({ ...one, key: projectKey(data.DOCS_API_URL, one.id) })
  const projects = [keyed(first), ...others.map(keyed)] as const
  return { ...toConfig(data, projects), isInContainer: isInContainer(env), warnings: unknown }
}

function toConfig(s: Settings, projects: readonly [KeyedProject, ...KeyedProject[]]) {
  const slack = { botToken: secret(s.SLACK_BOT_TOKEN), apiUrl: `${withoutSlash(s.SLACK_API_URL)}/` }
  const web = gitHubWeb(s.GITHUB_API_URL)
  return {
    slack: s.SLACK_APP_TOKEN
      ? { ...slack, mode: "socket" as const, appToken: secret(s.SLACK_APP_TOKEN) }
      : { ...slack, mode: "http" as const, signingSecret: secret(s.SLACK_SIGNING_SECRET ?? "") },
    docs: {
      baseUrl: withoutSlash(s.DOCS_API_URL),
      jobPath: s.DOCS_JOB_PATH,
      messagePath: s.DOCS_MESSAGE_PATH === "off" ? undefined : s.DOCS_MESSAGE_PATH,
      timeoutMs: s.DOCS_TIMEOUT_MS,
      projects,
    },
    dataDir: s.DATA_DIR,
    gitHubHost: web.host,
    /**
     * Access to GitHub; absent if the bot follows no pull requests. The base of the REST API has no
     * trailing slash; GitHub Enterprise has a path.
     */
    github: s.GITHUB_TOKEN
      ? { token: secret(s.GITHUB_TOKEN), apiUrl: withoutSlash(s.GITHUB_API_URL), web }
      : undefined,
    reminderDays: s.GITHUB_TOKEN ? s.PR_REMINDER_DAYS : 0,
    origin: s.PR_ORIGIN,
    store: toStore(s),
    port: s.PORT,
    bindAddress: s.BIND_ADDRESS,
    limits: {
      jobsPerHour: s.JOBS_PER_HOUR,
      jobsPerMonth: s.JOBS_PER_MONTH,
      reservedSlots: Math.min(s.RESERVED_SLOTS, s.JOBS_PER_HOUR - 1),
      maxQueuedPerUser: s.MAX_QUEUED_PER_USER,
      analyticsPerHour: s.ANALYTICS_PER_HOUR,
    },
    startDelayMs: s.START_DELAY_SECONDS * 1000,
    polling: {
      minMs: s.POLL_MIN_MS,
      maxMs: s.POLL_MAX_MS,
      giveUpAfterMs: s.JOB_TIMEOUT_MINUTES * 60_000,
    },
    /** Set if there are settings for Socket Mode and for HTTP; the first is used. */
    hasBothModes: s.SLACK_APP_TOKEN !== undefined && s.SLACK_SIGNING_SECRET !== undefined,
    access: {
      /** IDs of the channels where people may ask; empty allows all of them. */
      channels: s.ALLOWED_CHANNELS,
      /** IDs of the people who may ask, besides admins; empty allows every member. */
      users: s.ALLOWED_USERS,
      admins: [...s.ADMIN_USERS],
      allowExternal: s.ALLOW_EXTERNAL_USERS,
    },
    auditDays: s.AUDIT_DAYS,
    logLevel: s.LOG_LEVEL,
  }
}

function toStore(s: Settings) {
  const urls = (s.REDIS_URL ?? []).map(secret)
  const [url] = urls
  if (!url) return { kind: "embedded" as const, dataDir: s.DATA_DIR }
  return urls.length > 1 ? { kind: "cluster" as const, urls } : { kind: "server" as const, url }
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "")

/**
 * Returns where people see this GitHub's pages. "https://HOSTNAME/api/v3" is GitHub Enterprise
 * Server, whose pages may have a path. For "https://api.github.com" the host loses its first label.
 */
export function gitHubWeb(apiUrl: string) {
  const { host, pathname } = new URL(apiUrl)
  const path = withoutSlash(pathname)
  const server = /^(.*)\/api\/v3$/.exec(path)
  return server ? { host, path: server[1] ?? "" } : { host: host.replace(/^api\./, ""), path }
}

/** Returns the secrets that the bot must remove from its output and from other parties' text. */
export function secretsOf({ slack, docs, store, github }: Config): string[] {
  const stores = store.kind === "server" ? [store.url] : store.kind === "cluster" ? store.urls : []
  const secrets = [
    slack.botToken,
    slack.mode === "http" ? slack.signingSecret : slack.appToken,
    ...docs.projects.map(({ apiKey }) => apiKey),
    ...(github ? [github.token] : []),
  ]
  const passwords = stores.flatMap((url) => passwordIn(url.reveal()))
  return [...secrets.map((one) => one.reveal()), ...passwords]
}

function passwordIn(url: string): string[] {
  const { password } = URL.canParse(url) ? new URL(url) : { password: "" }
  return password ? [password, querystring.unescape(password)] : []
}

/** Intervals in ms that only tests replace; those of one rule stand beside it. */
export type Timing = typeof TIMING & {
  /** Timeout of a call of Slack: see `slack/client.ts`. */
  slackTimeoutMs: number
  /** Paces of writing to Slack: see `slack/rate-limits.ts`. */
  rates: Readonly<Record<"channelPost" | "workspacePost" | "edit" | "session", Rate>>
  /** Lengths of a queue's pauses: see `limit/pauses.ts`. */
  pauses: { firstMs: number; outageFirstMs: number; longestMs: number }
  /** How often GitHub is asked: see `pulls/github-schedule.ts`. */
  pulls: { firstMs: number; soonestMs: number; longestMs: number; eachMs: number }
}

/** Rate limit: one call per interval in ms, after a burst of this many calls. */
type Rate = readonly [everyMs: number, burst: number]

/** Intervals in ms that are not settings, chosen for Slack and a remote service. */
export const TIMING = {
  /** Time after which another process may take over what a dead one had claimed. */
  leaseMs: 30_000,
  /** Wait of a Redis that may have lost data, in which all workers report their creations. */
  coldMs: 10_000,
  /**
   * Delays before the bot tries to write to Slack again: while Slack is unreachable; before it looks for a
   * message after a call without an answer, which Slack may still apply; after a failure (doubles).
   */
  tries: { unreachableMs: 3000, lookUpAgainMs: 5000, failedMs: 5000 },
  /** Interval of the loops that check busy queues and open problems. */
  careMs: 3000,
  /** Maximum wait between two reads of a queue, because a wake-up message can get lost. */
  restMs: 4000,
  /** Time after which people learn that their answer takes longer than usual. */
  workWithinMs: 8000,
  /** Time within which the bot acknowledges, because Slack shows an error after 3 s. */
  answerWithinMs: 2500,
  /** Gap between opening connections, so that Slack's hourly refresh never closes both at once. */
  socketsApartMs: 60_000,
  /** Interval between two reads that test a rejected key. */
  probeMs: 60_000,
  gitHubTimeoutMs: 10_000,
}
