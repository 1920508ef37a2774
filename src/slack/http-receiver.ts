import type { IncomingMessage, ServerResponse } from "node:http"
import { parse } from "node:querystring"
import { type App, isValidSlackRequest, type Receiver } from "@slack/bolt"
import type { Secret } from "../config/secret.ts"
import type { Deliveries, DeliveryResult } from "./delivery.ts"

/** Slack's payloads are far smaller; anything larger is not Slack. */
const MAX_BODY_BYTES = 1024 * 1024
/** Slack's rule for age, and the same for clocks ahead of ours, which Bolt's own check lets pass. */
const MAX_SKEW_S = 300

/**
 * `POST /slack/events` for Bolt: signature, parsing, answer. The server itself belongs to the
 * process, as health and metrics live on the same port.
 */
export class HttpReceiver implements Receiver {
  readonly #secret: Secret
  readonly #deliveries: Deliveries
  readonly #onRequest: (signed: boolean) => void

  /** @param onRequest told of every request, and whether Slack had signed it */
  constructor(
    signingSecret: Secret,
    deliveries: Deliveries,
    onRequest: (signed: boolean) => void = () => {},
  ) {
    this.#secret = signingSecret
    this.#deliveries = deliveries
    this.#onRequest = onRequest
  }

  init(app: App): void {
    this.#deliveries.init(app)
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const raw = await readBody(req)
    if (raw === undefined) return end(res, 413, "The body is larger than Slack's payloads are.")
    const type = req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
    // Slack's certificate check is not signed; whatever else such a body carries is ignored.
    if (type === "application/x-www-form-urlencoded" && parse(raw).ssl_check === "1")
      return end(res, 200)
    const signed = this.#isSigned(req, raw)
    this.#onRequest(signed)
    if (!signed) return end(res, 401, "The request is not signed by Slack.")
    const body = parseBody(type, raw)
    if (isUrlVerification(body)) return json(res, { challenge: body.challenge })
    await this.#deliveries.take(body, retryOf(req), (result) => reply(res, result))
  }

  #isSigned(req: IncomingMessage, body: string): boolean {
    const signature = req.headers["x-slack-signature"]
    const timestamp = req.headers["x-slack-request-timestamp"]
    if (typeof signature !== "string" || typeof timestamp !== "string") return false
    if (!/^\d{1,12}$/.test(timestamp)) return false
    const seconds = Number(timestamp)
    if (Math.abs(Date.now() / 1000 - seconds) > MAX_SKEW_S) return false
    return isValidSlackRequest({
      signingSecret: this.#secret.reveal(),
      body,
      headers: { "x-slack-signature": signature, "x-slack-request-timestamp": seconds },
    })
  }
}

async function readBody(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** Commands are a form, interactions a form with JSON in `payload`, events are JSON. */
function parseBody(type: string | undefined, raw: string): unknown {
  try {
    if (type !== "application/x-www-form-urlencoded") return JSON.parse(raw)
    const form = parse(raw)
    return typeof form.payload === "string" ? JSON.parse(form.payload) : { ...form }
  } catch {
    return undefined
  }
}

function isUrlVerification(body: unknown): body is { challenge: string } {
  return (
    typeof body === "object" &&
    body !== null &&
    "type" in body &&
    body.type === "url_verification" &&
    "challenge" in body &&
    typeof body.challenge === "string"
  )
}

function retryOf(req: IncomingMessage): { num?: number; reason?: string } {
  const { "x-slack-retry-num": num, "x-slack-retry-reason": reason } = req.headers
  return {
    ...(typeof num === "string" && /^\d+$/.test(num) ? { num: Number(num) } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
  }
}

const REFUSALS = {
  malformed: [400, "This is not a payload of Slack."],
  unhandled: [404, "Nothing here listens to that."],
  failed: [500, "Not done; please send it again."],
} as const

function reply(res: ServerResponse, result: DeliveryResult): void {
  if (result.kind !== "acked") {
    const [status, text] = REFUSALS[result.kind]
    end(res, status, text)
  } else if (result.body === undefined || typeof result.body === "string")
    end(res, 200, result.body)
  else json(res, result.body)
}

function end(res: ServerResponse, status: number, text = ""): void {
  res.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text)
}

function json(res: ServerResponse, body: unknown): void {
  res
    .writeHead(200, { "content-type": "application/json; charset=utf-8" })
    .end(JSON.stringify(body))
}
