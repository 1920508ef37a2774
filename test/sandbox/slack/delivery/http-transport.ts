import { createHmac } from "node:crypto"
import { type Json, parseJson, stringIn } from "../../kit/json.ts"
import type { Acknowledgement, Delivery, RetryReason, Transport } from "./delivery.ts"

interface HttpTransportOptions {
  readonly signingSecret: string
  /** Returns the app's current address; undefined while it is down. */
  readonly eventsUrl: () => string | undefined
  /** Time in ms that the app has to respond; 3,000 in Slack. */
  readonly timeoutMs: number
  /** Signal that aborts all requests in progress when the local Slack closes. */
  readonly signal: AbortSignal
}

/** Returns a transport that sends signed POST requests, in Slack's format for each kind. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  return {
    deliver(delivery) {
      const { contentType, body } = encode(delivery)
      const headers = { "content-type": contentType, ...retryHeaders(delivery) }
      return sendRaw(options, body, { headers })
    },
  }
}

/** Parses only JSON types: a command can return plain text that looks like a number. */
function bodyOf(contentType: string, text: string): Json | undefined {
  if (text === "") return undefined
  return contentType.startsWith("application/json") ? parseJson(text) : text
}

/** Encodes commands as a form, interactions as a form with one JSON field, events as JSON. */
function encode({ kind, payload }: Delivery): { contentType: string; body: string } {
  const whole = JSON.stringify(payload)
  if (kind === "events_api") return { contentType: "application/json", body: whole }
  const fields = Object.keys(payload).map((key) => [key, stringIn(payload, key) ?? ""] as const)
  const form = kind === "interactive" ? { payload: whole } : Object.fromEntries(fields)
  return {
    contentType: "application/x-www-form-urlencoded",
    body: new URLSearchParams(form).toString(),
  }
}

function retryHeaders(delivery: Delivery): Record<string, string> {
  if (delivery.retry === undefined) return {}
  return {
    "x-slack-retry-num": String(delivery.retry.number),
    "x-slack-retry-reason": delivery.retry.reason,
  }
}

export interface RawRequestOptions {
  /** Headers added last, so that they replace the default ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Signature; `wrong` uses another secret. */
  readonly sign?: boolean | "wrong" | undefined
  /** Offset in ms of the signed timestamp; negative for the past. */
  readonly timestampOffsetMs?: number | undefined
}

/** Posts any body to the bot unchanged, by default as JSON and signed; for hostile requests too. */
export async function sendRaw(
  { signingSecret, eventsUrl, timeoutMs, signal }: HttpTransportOptions,
  body: string,
  { headers = {}, sign = true, timestampOffsetMs = 0 }: RawRequestOptions,
): Promise<Acknowledgement> {
  const url = eventsUrl()
  const began = performance.now()
  const failed = (failure: RetryReason) => {
    return { ok: false, status: undefined, body: undefined, ms: performance.now() - began, failure }
  }
  if (url === undefined) return failed("connection_failed")
  // Always the machine's clock, whatever clock the test uses: the receiver compares with it.
  const at = Math.floor((Date.now() + timestampOffsetMs) / 1000)
  const secret = sign === "wrong" ? `not ${signingSecret}` : signingSecret
  // Measured from sending, as in Slack; a response that trickles in doesn't extend it.
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...COMMON_HEADERS,
        ...(sign === false ? {} : signatureHeaders(secret, at, body)),
        ...headers,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, late]),
    })
    const { ok, status } = response
    const answer = bodyOf(response.headers.get("content-type") ?? "", await response.text())
    const ms = performance.now() - began
    return { ok, status, body: answer, ms, failure: ok ? undefined : "http_error" }
  } catch {
    return failed(late.aborted ? "http_timeout" : "connection_failed")
  }
}

const COMMON_HEADERS = {
  accept: "application/json,*/*",
  "content-type": "application/json",
  "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
  // A new connection: one from before a restart of the app would fail through no fault of the app.
  connection: "close",
}

/** Returns the headers that prove a request comes from Slack (scheme v0). `at` is in seconds. */
export function signatureHeaders(secret: string, at: number, body: string) {
  const digest = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex")
  return { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${digest}` }
}
