import { type FetchFunction, type Logger, LogLevel, WebClient } from "@slack/web-api"
import { Headers, Response } from "undici"
import { createHttpClient, type HttpClient } from "../lib/http-client.ts"
import { withoutNulls } from "../lib/json.ts"
import type { Log } from "../lib/log.ts"
import { NO_SECRETS, type Secret, type SecretFilter } from "../lib/secrets.ts"
import { brokenAnswer, ofCode, SlackError, type SlackFault, toSlackError } from "./slack-error.ts"

/** Timeout of a call in ms. A post begins in the first half of its lease and must end in the second. */
export const SLACK_TIMEOUT_MS = 10_000

/** Receives how each call ended: `ok` or Slack's code. */
export type OnCall = (method: string, outcome: string) => void

interface SlackClientOptions {
  timeoutMs?: number
  secrets?: SecretFilter
  onCall?: OnCall | undefined
}

/**
 * Web API client that never repeats a call, because a repeated chat.postMessage is a duplicate
 * message; the library would retry every POST. Throws rate limits instead of pausing the queue, and
 * every failure as a SlackError.
 */
export class SlackClient extends WebClient {
  /** Client for requests outside the Web API, such as response URLs and downloads. */
  readonly http: HttpClient
  readonly secrets: SecretFilter
  readonly #options: SlackClientOptions

  constructor(token: Secret, slackApiUrl: string, log: Log, options: SlackClientOptions = {}) {
    const http = createHttpClient(options.timeoutMs ?? SLACK_TIMEOUT_MS)
    super(token.reveal(), {
      slackApiUrl,
      fetch: transport(http),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: slackLogger(log),
    })
    this.http = http
    this.secrets = options.secrets ?? NO_SECRETS
    this.#options = options
  }

  override apiCall(...[method, options]: Parameters<WebClient["apiCall"]>) {
    return this.call(method, async () => withoutNulls(await super.apiCall(method, options)))
  }

  /** Sends what is no method of the Web API, and reports the outcome as for one. @throws SlackError */
  async call<T>(method: string, run: () => Promise<T>): Promise<T> {
    const { onCall } = this.#options
    try {
      const result = await run()
      onCall?.(method, "ok")
      return result
    } catch (cause) {
      const error = toSlackError(method, cause)
      // A weak password, such as "channel", does not make an ordinary code a secret.
      const isOwn = this.secrets.cleanWritten(error.code) === error.code
      const told = isOwn ? error : brokenAnswer(method)
      onCall?.(method, told.code)
      throw told
    }
  }

  /** Rejects an address that is not Slack's. @throws SlackError `foreign_url` */
  checkUrl(method: string, url: string): void {
    if (!isSlackUrl(url, this.slackApiUrl))
      throw new SlackError({ method, verdict: "give_up", code: "foreign_url" })
  }
}

function transport(http: HttpClient): FetchFunction {
  return async (url, { headers = {}, body } = {}) => {
    if (typeof body !== "string")
      throw new TypeError("The client sends only forms; files are uploaded apart from it.")
    const answer = await http.send(url, { method: "POST", headers, body })
    const shown = new Headers(answer.headers)
    // The library would also decompress by the content type, to any size.
    shown.delete("content-type")
    return new Response(answer.body, { status: answer.status, headers: shown })
  }
}

/** Domains of Slack; the second is GovSlack (docs.slack.dev, "Developing apps for GovSlack"). */
const DOMAINS = [".slack.com", ".slack-gov.com"]

/**
 * Returns whether this address is Slack's, or that of its stand-in in `SLACK_API_URL`. Payloads
 * contain addresses for private answers: a forged payload must neither choose who gets an answer
 * nor make the bot call machines that only it can reach.
 */
export function isSlackUrl(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, protocol, hostname, port, username, password } = new URL(url)
  if (username || password) return false
  if (origin === new URL(apiUrl).origin) return true
  return protocol === "https:" && port === "" && DOMAINS.some((domain) => hostname.endsWith(domain))
}

/**
 * Makes a logger for Slack's libraries that logs at a lower level, because the bot itself logs what
 * fails, and that drops debug lines, which contain people's text and response_urls.
 */
export function slackLogger(log: Log): Logger {
  const line = (words: unknown[]) => words.map((word) => String(word)).join(" ")
  return {
    debug() {},
    info: (...words) => log.debug({ from: "slack" }, line(words)),
    // Slack sends some warnings with every call, such as one that an app is no agent.
    warn: (...words) => log.debug({ from: "slack" }, line(words)),
    error: (...words) => log.warn({ from: "slack" }, line(words)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  }
}

/** Answers through a response_url. @throws SlackError */
export function postToResponseUrl(client: SlackClient, url: string, content: object) {
  return client.call("response_url", async () => {
    client.checkUrl("response_url", url)
    const headers = { "content-type": "application/json" }
    const request = { method: "POST", headers, body: JSON.stringify(content) } as const
    const answer = await client.http.send(url, request)
    const body = answer.body.toString("utf8").trim()
    if (answer.status < 300 && /^(ok)?$|"ok":\s*true/.test(body)) return
    throw new SlackError({ method: "response_url", ...refusalIn(answer.status, body) })
  })
}

/** Reads an answer other than `ok` or `{"ok":true}`; even a gateway's page may have status 200. */
function refusalIn(status: number, body: string): SlackFault {
  if (status === 429) return ofCode("ratelimited")
  if (status >= 500) return { verdict: "unknown", code: `http_${status}` }
  // Slack sends the error code in JSON or as a bare word.
  const named = /"error":\s*"([a-z_]{1,60})"/.exec(body)?.[1] ?? /^[a-z_]{1,60}$/.exec(body)?.[0]
  if (named !== undefined) return ofCode(named)
  if (status < 300) return { verdict: "unknown", code: "broken_body" }
  return { verdict: "give_up", code: `http_${status}` }
}
