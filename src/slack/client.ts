import {
  type Logger,
  LogLevel,
  WebAPIPlatformError,
  WebClient,
  type WebClientOptions,
} from "@slack/web-api"
import type { Secret } from "../config/secret.ts"
import { TIMING } from "../config/timing.ts"
import type { Log } from "../runtime/log.ts"
import { NO_SECRETS, type SecretFilter } from "../text/secret-filter.ts"
import { createTransport } from "./transport.ts"
import { brokenAnswer } from "./verdict.ts"

/**
 * A Web API client that never repeats anything by itself: the library retries every POST, and a
 * repeated chat.postMessage is a double message. Rate limits are thrown instead of pausing the queue.
 */
export function createWebClient(
  token: Secret,
  apiUrl: string,
  log: Log,
  options: { timeoutMs?: number; secrets?: SecretFilter } = {},
): WebClient {
  const { timeoutMs = TIMING.slackTimeoutMs, secrets = NO_SECRETS } = options
  const settings: WebClientOptions = {
    slackApiUrl: apiUrl,
    fetch: createTransport(timeoutMs),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: slackLogger(log),
  }
  return new CautiousWebClient(token.reveal(), settings, secrets)
}

/** Error codes are shown, counted and logged: one that repeats a secret is none. */
class CautiousWebClient extends WebClient {
  readonly #secrets: SecretFilter

  constructor(token: string, options: WebClientOptions, secrets: SecretFilter) {
    super(token, options)
    this.#secrets = secrets
  }

  override async apiCall(...[method, options]: Parameters<WebClient["apiCall"]>) {
    try {
      return await super.apiCall(method, options)
    } catch (error) {
      if (error instanceof WebAPIPlatformError && this.#secrets.holds(error.data.error))
        throw brokenAnswer(method)
      throw error
    }
  }
}

/** "While your app is not subscribed … the user sees a non-interactive loading indicator instead." */
export const NO_STOP_WARNING = "missing_agent_session_stopped_event_subscription"

/**
 * Slack's libraries log through ours, one level quieter. Their debug lines hold whole payloads with
 * people's words and response_urls, so those are never passed on.
 */
export function slackLogger(log: Log): Logger {
  const line = (words: unknown[]) => words.map((word) => String(word)).join(" ")
  return {
    debug() {},
    info: (...words) => log.debug({ from: "slack" }, line(words)),
    // With every call, and the doctor says it.
    warn: (...words) => words[0] === NO_STOP_WARNING || log.info({ from: "slack" }, line(words)),
    error: (...words) => log.warn({ from: "slack" }, line(words)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  }
}
