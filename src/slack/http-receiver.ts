import type { IncomingMessage, ServerResponse } from "node:http"
import { parse } from "node:querystring"
import type { App, Receiver } from "@slack/bolt"
import type { Secret } from "../config/secret.ts"
import { parseJson } from "../text/json.ts"
import type { PayloadProcessor, PayloadResult } from "./payload-processor.ts"
import { isRecord } from "./payloads.ts"
import { MAX_BODY_BYTES, RequestBodies } from "./request-body.ts"
import { isSigned, stampOf } from "./signature.ts"

/** Slack's certificate check is a form of two short fields and, alone of all, not signed. */
const MAX_CHECK_BYTES = 1024

const CERTIFICATE_CHECK = /(?:^|&)ssl_check=1(?:&|$)/

/**
 * `POST /slack/events` for Bolt: signature, parsing, answer. The server itself belongs to the
 * process, as health and metrics live on the same port.
 */
export class HttpReceiver implements Receiver {
  readonly #secret: Secret
  readonly #processor: PayloadProcessor
  readonly #onRequest: (signed: boolean) => void
  readonly #bodies = new RequestBodies()

  /** @param onRequest told of every request, and whether Slack had signed it */
  constructor(
    signingSecret: Secret,
    processor: PayloadProcessor,
    onRequest: (signed: boolean) => void = () => {},
  ) {
    this.#secret = signingSecret
    this.#processor = processor
    this.#onRequest = onRequest
  }

  init(app: App): void {
    this.#processor.init(app)
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const announced = Number(req.headers["content-length"] ?? Number.NaN)
    if (announced > MAX_BODY_BYTES) return refuse(req, res, 413, TOO_LARGE)
    // Without the two headers, or with an old moment, no body can make it Slack's.
    const mayBeCheck = isForm(req) && announced <= MAX_CHECK_BYTES
    if (!mayBeCheck && !stampOf(req.headers, Date.now())) {
      this.#onRequest(false)
      return refuse(req, res, 401, UNSIGNED)
    }
    const bytes = await this.#bodies.read(req)
    if (bytes === undefined) return refuse(req, res, 413, TOO_LARGE)
    const raw = bytes.toString("utf8")
    const form = isForm(req)
    // Slack's certificate check is not signed; whatever else such a body carries is ignored.
    if (form && CERTIFICATE_CHECK.test(raw)) return end(res, 200)
    const signed = isSigned(req.headers, raw, this.#secret.reveal(), Date.now())
    this.#onRequest(signed)
    if (!signed) return end(res, 401, UNSIGNED)
    const body = form ? bodyOfForm(raw) : parseJson(raw)
    if (isUrlVerification(body)) return json(res, { challenge: body.challenge })
    await this.#processor.take(body, retryOf(req), (result) => reply(res, result))
  }
}

function isForm(req: IncomingMessage): boolean {
  const type = req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  return type === "application/x-www-form-urlencoded"
}

/** Commands are a form, interactions a form with JSON in `payload`; events are JSON. */
function bodyOfForm(raw: string): unknown {
  const form = parse(raw)
  return typeof form.payload === "string" ? parseJson(form.payload) : form
}

function isUrlVerification(body: unknown): body is { challenge: string } {
  const isCheck = isRecord(body) && body.type === "url_verification"
  return isCheck && typeof body.challenge === "string"
}

function retryOf(req: IncomingMessage): { num?: number; reason?: string } {
  const { "x-slack-retry-num": num, "x-slack-retry-reason": reason } = req.headers
  return {
    ...(typeof num === "string" && /^\d+$/.test(num) ? { num: Number(num) } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
  }
}

const TOO_LARGE = "The body is larger than Slack's payloads are."
const UNSIGNED = "The request is not signed by Slack."

/** A body that is refused is read no further than this; Slack's are seldom longer. bytes */
const MOST_THROWN_AWAY = 32 * 1024

/**
 * Answers before the body has come. Of a long one most stays unread, as every piece would take memory until
 * the next collection. The connection stays until its time is up: closed on a client that is still
 * sending, it would take the answer along (RFC 9112, 9.6).
 */
function refuse(req: IncomingMessage, res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    connection: "close",
  })
  res.write(text)
  let left = MOST_THROWN_AWAY
  req.once("end", () => res.end())
  req.on("readable", () => {
    left -= req.readableLength
    if (left >= 0) req.read()
  })
}

const REFUSALS = {
  malformed: [400, "This is not a payload of Slack."],
  unhandled: [404, "Nothing here listens to that."],
  failed: [500, "Not done; please send it again."],
} as const

function reply(res: ServerResponse, result: PayloadResult): void {
  if (result.kind !== "acked") {
    const [status, text] = REFUSALS[result.kind]
    end(res, status, text)
  } else if (result.body === undefined || typeof result.body === "string")
    end(res, 200, result.body)
  else json(res, result.body)
}

function end(res: ServerResponse, status: number, text = ""): void {
  send(res, status, "text/plain; charset=utf-8", text)
}

function json(res: ServerResponse, body: unknown): void {
  send(res, 200, "application/json; charset=utf-8", JSON.stringify(body))
}

/** With its length known the answer leaves in one write instead of as chunks. */
function send(res: ServerResponse, status: number, type: string, text: string): void {
  res
    .writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) })
    .end(text)
}
