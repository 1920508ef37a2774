import { WebAPIPlatformError, WebClient } from "@slack/web-api"
import { afterEach, beforeEach } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { slackLogger } from "../../src/slack/client.ts"
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"

interface Running {
  slack: LocalSlack
  /** Client of the bot. */
  client: WebClient
  /** Time in ms by Slack's clock, which stands still. */
  time: number
}

/**
 * Starts a local Slack before each test of a file. No bot listens: tests read `deliveries`.
 * @returns what is running now
 */
export function useLocalSlack(options: Partial<LocalSlackOptions> = {}): Running {
  const running = {} as Running
  beforeEach(async () => {
    running.time = Date.UTC(2026, 10, 21)
    const base = { signingSecret: "s", botToken, mode: "http" as const, now: () => running.time }
    running.slack = await startLocalSlack({ ...base, ...options })
    running.client = clientOf(running.slack, botToken)
  })
  afterEach(() => running.slack.close())
  return running
}

/** Options that every post of the bot has. */
export const quiet = { unfurl_links: false, unfurl_media: false }

/** Creates a real WebClient without retries or logging: tests make calls that have to fail. */
export function clientOf(slack: LocalSlack, token: string): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(createLog("silent", [])),
  })
}

/** Resolves to Slack's error code. @throws Error if the call succeeds or fails in another way */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await failure(call)
  if (error instanceof WebAPIPlatformError) return error.data.error
  throw new Error(`Expected a refusal by Slack, got ${String(error)}`)
}

/** Resolves to a promise's rejection, or to undefined if it is fulfilled. */
export function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}
