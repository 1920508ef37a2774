import { type ClientRequest, type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { type Json, parseJson, stringIn } from "../../kit/json.ts"
import type { Acknowledgement, Delivery, RetryReason, Transport } from "./delivery.ts"
import { signatureHeaders } from "./signature.ts"

export interface HttpTransportOptions {
  readonly signingSecret: string
  /** Where the app listens now; undefined while it is not up. */
  readonly eventsUrl: () => string | undefined
  /** How long the app may take to answer. Slack gives 3,000 ms. */
  readonly timeoutMs: number
  /** Gives up on every request that is under way when the local Slack closes. */
  readonly signal: AbortSignal
}

/** Delivers by signed POST requests, in the form Slack uses for each kind. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  return {
    deliver(delivery) {
      const { contentType, body } = encode(delivery)
      return send(options, body, {
        "content-type": contentType,
        ...retryHeaders(delivery),
        // Always the machine's clock: the receiver compares with it, whatever clock the test uses.
        ...signatureHeaders(options.signingSecret, Math.floor(Date.now() / 1000), body),
      })
    },
  }
}

/** Posts a body as it is; the low level for hostile requests. */
export function send(
  options: Omit<HttpTransportOptions, "signingSecret">,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Acknowledgement> {
  const url = options.eventsUrl()
  const began = performance.now()
  const failed = (failure: RetryReason): Acknowledgement => ({
    ok: false,
    status: undefined,
    body: undefined,
    ms: performance.now() - began,
    failure,
  })
  if (url === undefined) return Promise.resolve(failed("connection_failed"))
  return new Promise((resolve) => {
    const outgoing = open(url, options.signal, body, headers)
    // Measured from the moment of sending, as Slack does; a trickling answer does not extend it.
    const timer = setTimeout(() => {
      resolve(failed("http_timeout"))
      outgoing.destroy()
    }, options.timeoutMs)
    const settle = (answer: Acknowledgement) => {
      clearTimeout(timer)
      resolve(answer)
    }
    outgoing.on("error", () => settle(failed("connection_failed")))
    outgoing.on("response", (response) => {
      text(response).then(
        (body) => settle(acknowledged(response, body, performance.now() - began)),
        () => settle(failed("connection_failed")),
      )
    })
    outgoing.end(body)
  })
}

function open(
  url: string,
  signal: AbortSignal,
  body: string,
  headers: Readonly<Record<string, string>>,
): ClientRequest {
  return request(url, {
    method: "POST",
    headers: {
      accept: "application/json,*/*",
      "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    },
    // A connection of its own: one kept from before a restart of the app would fail for no fault of
    // the app's.
    agent: false,
    signal,
  })
}

function acknowledged(response: IncomingMessage, text: string, ms: number): Acknowledgement {
  const status = response.statusCode ?? 0
  const ok = status >= 200 && status < 300
  return {
    ok,
    status,
    body: bodyOf(response.headers["content-type"], text),
    ms,
    failure: ok ? undefined : "http_error",
  }
}

/** JSON only where it says so: a command may answer with plain text that looks like a number. */
function bodyOf(contentType: string | undefined, text: string): Json | undefined {
  if (text === "") return undefined
  return contentType?.startsWith("application/json") === true ? parseJson(text) : text
}

/** Commands are a form, interactions a form with one JSON field, events plain JSON. */
function encode(delivery: Delivery): { contentType: string; body: string } {
  const form = "application/x-www-form-urlencoded"
  if (delivery.kind === "events_api") {
    return { contentType: "application/json", body: JSON.stringify(delivery.payload) }
  }
  if (delivery.kind === "interactive") {
    const body = new URLSearchParams({ payload: JSON.stringify(delivery.payload) })
    return { contentType: form, body: body.toString() }
  }
  const fields = Object.keys(delivery.payload).map((key): [string, string] => [
    key,
    stringIn(delivery.payload, key) ?? "",
  ])
  return { contentType: form, body: new URLSearchParams(fields).toString() }
}

function retryHeaders(delivery: Delivery): Record<string, string> {
  if (delivery.retry === undefined) return {}
  return {
    "x-slack-retry-num": String(delivery.retry.number),
    "x-slack-retry-reason": delivery.retry.reason,
  }
}
