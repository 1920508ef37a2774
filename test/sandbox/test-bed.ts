import { randomBytes } from "node:crypto"
import type { Services } from "../../src/compose.ts"
import { readConfig, secretsOf } from "../../src/config/config.ts"
import { createLog } from "../../src/lib/log.ts"
import type { Running } from "../../src/process.ts"
import { SCOPES } from "../../src/slack/scopes.ts"
import { pushToGitHub } from "./docs-service/push-to-github.ts"
import {
  type DocsService,
  type DocsServiceOptions,
  startDocsService,
} from "./docs-service/service.ts"
import {
  type LocalGitHub,
  type LocalGitHubOptions,
  startLocalGitHub,
} from "./github/local-github.ts"
import { houseRules } from "./house-rules.ts"
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from "./slack/index.ts"
import { type BotOptions, startBot } from "./start-bot.ts"

/**
 * Made-up secrets, useless elsewhere. The signing secret is new in each run: anyone who knows it
 * can speak for everyone in Slack.
 */
export const SECRETS = {
  botToken: "xoxb-local-bot-token",
  appToken: "xapp-local-app-token",
  signingSecret: randomBytes(16).toString("hex"),
  apiKey: "svc_local_key",
  gitHubToken: "local-github-token",
  project: "docs-site",
} as const

export interface TestBedOptions extends BotOptions {
  mode?: "http" | "socket"
  slack?: Partial<LocalSlackOptions>
  docs?: Partial<DocsServiceOptions>
  github?: Partial<LocalGitHubOptions>
  /** True if the bot has a token for GitHub and follows pull requests. */
  followsPulls?: boolean
  /** Environment of the bot, added to what the test bed needs. */
  env?: Readonly<Record<string, string>>
  log?: { write(line: string): void }
  /** Called before the bot starts, so that it can meet other services that already fail. */
  onOtherParties?: (otherParties: Pick<TestBed, "slack" | "docs" | "github">) => void
}

/** Whole product on one machine: the other services, and the bot as it runs in production. */
export interface TestBed extends AsyncDisposable {
  slack: LocalSlack
  docs: DocsService
  /** Host of the pull requests that the service's agent opens. */
  github: LocalGitHub
  /** Services of the bot that is running now. */
  readonly services: Services
  readonly bot: Running
  /** Stops the bot gracefully and starts it again, running `meanwhile` in between. */
  restartBot(meanwhile?: () => Promise<void>): Promise<void>
  /** Address of the bot's data. */
  address: BotOptions["address"]
  /** Environment for a bot in another process that uses this test bed. */
  env: Record<string, string>
}

/** Starts the test bed that the sandbox and the integration tests share. */
export async function startTestBed(options: TestBedOptions): Promise<TestBed> {
  const others = await startOtherParties(options)
  const { slack, docs, github, env } = others
  options.onOtherParties?.({ slack, docs, github })
  const config = readConfig({ PORT: "0", ...env, ...options.env })
  const log = createLog(config.logLevel, secretsOf(config), options.log)
  const start = async () => {
    const started = await startBot(config, log, options)
    slack.setEventsUrl(eventsUrl(started.bot.port))
    return started
  }
  let running = await start().catch(async (error) => {
    await others[Symbol.asyncDispose]()
    throw error
  })
  return {
    slack,
    docs,
    github,
    get services() {
      return running.services
    },
    get bot() {
      return running.bot
    },
    address: options.address,
    env,
    async restartBot(meanwhile) {
      await running.stop()
      await meanwhile?.()
      running = await start()
    },
    async [Symbol.asyncDispose]() {
      await running.stop()
      await others[Symbol.asyncDispose]()
    },
  }
}

export type OtherParties = Pick<TestBed, "slack" | "docs" | "github" | "env"> & AsyncDisposable

/** Starts the other services only, for bots in separate processes. */
export async function startOtherParties(
  options: Omit<TestBedOptions, "address"> = {},
): Promise<OtherParties> {
  const mode = options.mode ?? "http"
  // Only the manifest's permissions: whatever needs more fails here first.
  const scopes = Object.keys(SCOPES)
  const time = options.clock ? { now: options.clock.now } : {}
  const slack = await startLocalSlack({
    ...SECRETS,
    ...time,
    mode,
    scopes,
    houseRules,
    ...options.slack,
  })
  const { docs, github } = await startDocsAndGitHub(options)
  const env = {
    SLACK_BOT_TOKEN: SECRETS.botToken,
    SLACK_API_URL: slack.apiUrl,
    ...(mode === "http"
      ? { SLACK_SIGNING_SECRET: SECRETS.signingSecret }
      : { SLACK_APP_TOKEN: SECRETS.appToken }),
    DOCS_API_URL: docs.url,
    DOCS_API_KEY: SECRETS.apiKey,
    DOCS_PROJECT_ID: SECRETS.project,
    GITHUB_API_URL: github.apiUrl,
    BIND_ADDRESS: "127.0.0.1",
    ...(options.followsPulls ? { GITHUB_TOKEN: SECRETS.gitHubToken } : {}),
  }
  return {
    slack,
    docs,
    github,
    env,
    async [Symbol.asyncDispose]() {
      await Promise.all([slack.close(), docs.close(), github.close()])
    },
  }
}

/** Starts the service and the GitHub on which its agent opens pull requests. */
export async function startDocsAndGitHub(
  options: Pick<TestBedOptions, "clock" | "docs" | "github">,
): Promise<Pick<TestBed, "docs" | "github">> {
  const time = options.clock ? { now: options.clock.now } : {}
  const tokens = [SECRETS.gitHubToken]
  const github = await startLocalGitHub({ tokens, ...time, ...options.github })
  const docs = await startDocsService({
    ...time,
    projects: [{ id: SECRETS.project, key: SECRETS.apiKey }],
    repositoriesUrl: github.url,
    ...options.docs,
  })
  pushToGitHub(docs, github)
  return { docs, github }
}

export function eventsUrl(port: number): string {
  return `http://127.0.0.1:${port}/slack/events`
}
