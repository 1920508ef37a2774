import { type Logger, LogLevel, WebClient } from "@slack/web-api"
import type { Secret } from "../config/secret.ts"
import { TIMING } from "../config/timing.ts"
import type { Log } from "../runtime/log.ts"

/**
 * A Web API client that never repeats anything by itself: the library retries every POST, and a
 * repeated chat.postMessage is a double message. Rate limits are thrown instead of pausing the queue.
 */
export function createWebClient(
  token: Secret,
  apiUrl: string,
  log: Log,
  timeoutMs = TIMING.slackTimeoutMs,
): WebClient {
  return new WebClient(token.reveal(), {
    slackApiUrl: apiUrl,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: slackLogger(log),
  })
}

/**
 * Slack's libraries log through ours, one level quieter. Their debug lines hold whole payloads with
 * people's words and response_urls, so those are never passed on.
 */
export function slackLogger(log: Log): Logger {
  const line = (words: unknown[]) => words.map((word) => String(word)).join(" ")
  return {
    debug() {},
    info: (...words) => log.debug({ from: "slack" }, line(words)),
    warn: (...words) => log.info({ from: "slack" }, line(words)),
    error: (...words) => log.warn({ from: "slack" }, line(words)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  }
}
