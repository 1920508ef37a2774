import {
  type FetchFunction,
  WebAPIPlatformError,
  WebClient,
  type WebClientOptions,
} from "@slack/web-api"
import { EnvHttpProxyAgent, fetch } from "undici"
import type { Secret } from "../config/secret.ts"
import { TIMING } from "../config/timing.ts"
import type { Log } from "../runtime/log.ts"
import { withoutNulls } from "../text/json.ts"
import { NO_SECRETS, type SecretFilter } from "../text/secret-filter.ts"
import { slackLogger } from "./logger.ts"
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
      const answer = await super.apiCall(method, options)
      return withoutNulls(answer)
    } catch (error) {
      if (error instanceof WebAPIPlatformError && this.#secrets.holds(error.data.error))
        throw brokenAnswer(method)
      throw error
    }
  }
}

/**
 * Sends Web API calls. Redirects are answers like any: the token goes nowhere but to the API it is for.
 * @param withinMs a call is given up then, wherever it stands
 */
function createTransport(withinMs: number): FetchFunction {
  // A call that did not connect was certainly not sent, so that is found out first.
  const dispatcher = new EnvHttpProxyAgent({ connectTimeout: withinMs / 2 })
  return async (url, { method = "GET", headers = {}, body } = {}) => {
    if (body !== undefined && typeof body !== "string")
      throw new TypeError(
        "Only forms are sent through the client; files are uploaded apart from it.",
      )
    const signal = AbortSignal.timeout(withinMs)
    const request = { method, headers, body: body ?? null, redirect: "manual" } as const
    return fetch(url, { ...request, dispatcher, signal })
  }
}
