import {
  type FetchFunction,
  WebAPIPlatformError,
  WebClient,
  type WebClientOptions,
} from "@slack/web-api"
import { Agent } from "undici"
import type { Secret } from "../config/secret.ts"
import { TIMING } from "../config/timing.ts"
import { type Answer, exchange } from "../runtime/exchange.ts"
import type { Log } from "../runtime/log.ts"
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
      return await super.apiCall(method, options)
    } catch (error) {
      if (error instanceof WebAPIPlatformError && this.#secrets.holds(error.data.error))
        throw brokenAnswer(method)
      throw error
    }
  }
}

type FetchResponse = Awaited<ReturnType<FetchFunction>>

/**
 * How Web API calls travel, in place of Node's `fetch`, which takes four fifths of a call's CPU for
 * streams and signals that nobody here has a use for. The library asks for text and nothing else.
 * Redirects are answers like any: the token goes nowhere but to the API it is for.
 * @param withinMs a call is given up then, wherever it stands
 */
function createTransport(withinMs: number): FetchFunction {
  const agent = new Agent({ connectTimeout: withinMs })
  return async (url, { method = "GET", headers = {}, body } = {}) => {
    if (body !== undefined && typeof body !== "string")
      throw new TypeError(
        "Only forms are sent through the client; files are uploaded apart from it.",
      )
    const { origin, pathname, search } = new URL(url)
    const at = { origin, path: `${pathname}${search}` }
    // "If no Accept-Encoding header field is in the request, any content coding is considered
    // acceptable by the user agent" (RFC 9110, 12.5.3), and nothing here unpacks one.
    const all = { ...headers, "accept-encoding": "identity" }
    const request = { ...at, method, headers: all, body: body ?? null } as const
    const answer = await exchange(agent, request, withinMs).catch(fail)
    return responseOf(answer, String(url))
  }
}

/** As the standard has it, and as `verdict.ts` reads it: the reason is the cause. */
function fail(cause: unknown): never {
  throw new TypeError("fetch failed", { cause })
}

function responseOf({ status, headers, body }: Answer, url: string): FetchResponse {
  return {
    ok: status >= 200 && status < 300,
    status,
    // HTTP/2 has none, so nobody relies on it.
    statusText: "",
    url,
    headers: headersOf(headers),
    arrayBuffer: async () => new TextEncoder().encode(body).buffer,
    json: async (): Promise<unknown> => JSON.parse(body),
    text: async () => body,
  }
}

function headersOf(headers: Answer["headers"]): FetchResponse["headers"] {
  const get = (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(", ") : (value ?? null)
  }
  return {
    get,
    entries: () => Object.keys(headers).map((name) => [name, get(name) ?? ""]),
  }
}
