import { WebAPIPlatformError, WebClient, type WebClientOptions } from "@slack/web-api"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { silentLogger } from "./silent-logger.ts"

/** What every post of ours carries. */
export const quiet = { unfurl_links: false, unfurl_media: false }

/** A real WebClient without retries; a wrong call is expected to fail, so it logs nothing. */
export function clientOf(
  slack: LocalSlack,
  token: string,
  options: WebClientOptions = {},
): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: silentLogger,
    ...options,
  })
}

/** The code of Slack's refusal. @throws Error, if the call succeeds or fails in another way. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await failure(call)
  if (error instanceof WebAPIPlatformError) return error.data.error
  throw new Error(`Expected a refusal by Slack, got ${String(error)}`)
}

/** What a promise rejects with; undefined if it does not. */
export function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}
