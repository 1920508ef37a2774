import type { IncomingMessage, ServerResponse } from "node:http"
import { parse } from "node:querystring"
import type { App, Receiver } from "@slack/bolt"
import type { Secret } from "../config/secret.ts"
import { parseJson } from "../text/json.ts"
import { end, json, refuse, reply } from "./http-answer.ts"
import type { PayloadProcessor } from "./payload-processor.ts"
import { isRecord } from "./payloads.ts"
import { isSigned, stampOf } from "./signature.ts"

const TOO_LARGE = "The body is larger than Slack's payloads are."
const UNSIGNED = "The request is not signed by Slack."

/** Slack's payloads are far smaller; anything larger is not Slack. */
const MAX_BODY_BYTES = 1024 * 1024
/**
 * Of all bodies that are still coming. Slack's arrive whole within a second; a sender can claim any
 * signature, and only the last byte of the body shows that it is false.
 */
const MAX_COMING_BYTES = 8 * MAX_BODY_BYTES
/** What a piece of a body costs beside its bytes: a body may come byte by byte. */
const PIECE_BYTES = 256

/** Slack's certificate check is a form of two short fields and, alone of all, not signed. */
const MAX_CHECK_BYTES = 1024

const CERTIFICATE_CHECK = /(?:^|&)ssl_check=1(?:&|$)/

/**
 * `POST /slack/events` for Bolt: body, signature, parsing. The server itself belongs to the
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

/** Reads bodies, and keeps what all unfinished ones hold together within bounds. */
class RequestBodies {
  /** Unfinished ones, the oldest first, with the bytes they hold. */
  readonly #coming = new Map<IncomingMessage, number>()
  #bytes = 0

  /**
   * Undefined when it is too large. Rejects when the sender hangs up, takes too long, or is crowded
   * out by newer ones: the oldest unfinished body is the least likely to be Slack's.
   */
  read(req: IncomingMessage): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = []
      let size = 0
      let isGiven = false
      const give = (body: Buffer | undefined) => {
        isGiven = true
        this.#let(req)
        chunks = []
        resolve(body)
      }
      req.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > MAX_BODY_BYTES) return give(undefined)
        chunks.push(chunk)
        this.#hold(req, chunk.length + PIECE_BYTES)
      })
      req.on("end", () => give(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
      req.on("close", () => {
        // The error's stack would be written down for each request, in vain for all that came whole.
        if (isGiven) return
        this.#let(req)
        chunks = []
        reject(new Error("The request ended before its body did."))
      })
      req.on("error", reject)
    })
  }

  #hold(req: IncomingMessage, bytes: number): void {
    this.#bytes += bytes
    this.#coming.set(req, (this.#coming.get(req) ?? 0) + bytes)
    for (const oldest of this.#coming.keys()) {
      if (this.#bytes <= MAX_COMING_BYTES) return
      this.#let(oldest)
      oldest.destroy()
    }
  }

  #let(req: IncomingMessage): void {
    this.#bytes -= this.#coming.get(req) ?? 0
    this.#coming.delete(req)
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
