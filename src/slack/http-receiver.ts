import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { parse } from "node:querystring"
import { setTimeout as delay } from "node:timers/promises"
import { isValidSlackRequest } from "@slack/bolt"
import { z } from "zod"
import { answerEarly } from "../lib/http-server.ts"
import { parseWithoutNulls } from "../lib/json.ts"
import type { Secret } from "../lib/secrets.ts"
import type { Intake } from "./intake.ts"

const TOO_LARGE = "Request body too large."
const UNSIGNED = "Invalid Slack signature."

/** Maximum size of a body, far above that of Slack's payloads. */
const MAX_BODY_BYTES = 1024 * 1024
/**
 * Maximum bytes of all unfinished bodies together: anybody can claim a signature, and the bot can
 * check it only once it has the whole body.
 */
const MAX_COMING_BYTES = 8 * MAX_BODY_BYTES
/** Size that Slack's bodies stay below: a click brings at most a message of 50 blocks. */
const USUAL_BYTES = 128 * 1024
/** Size up to which a body of no announced length counts as it comes, and then as the largest. */
const UNANNOUNCED_BYTES = 32 * 1024
/** Time in ms for newer ones to replace an unusually large body before any of it is read. */
const LARGE_WAIT_MS = 50
/** Memory that a chunk of a body is assumed to cost besides its bytes. */
const PIECE_BYTES = 256
/** Slack's limit for a request's age, in s. Bolt's own check does not apply it to the future. */
const MAX_SKEW_S = 300
/** Maximum size of Slack's certificate check, a short form and the only unsigned request. */
const MAX_CHECK_BYTES = 1024
const CERTIFICATE_CHECK = /(?:^|&)ssl_check=1(?:&|$)/

/**
 * Serves `POST /slack/events` for Bolt. Bolt's own receiver reads every request in full, whoever
 * sent it; this one refuses requests by their headers and limits all bodies together.
 * @param onRequest called once it is known whether Slack signed a request
 */
export function createHttpReceiver(
  secret: Secret,
  intake: Intake,
  onRequest: (signed: boolean) => void,
) {
  const readBody = createBodyReader()

  async function handle(req: IncomingMessage, res: ServerResponse, markSigned: () => void) {
    const announced = Number(req.headers["content-length"] ?? Number.NaN)
    if (announced > MAX_BODY_BYTES) return answerEarly(req, res, 413, TOO_LARGE)
    const type = req.headers["content-type"] ?? ""
    const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(type)
    const headers = stampOf(req.headers)
    // Without both headers, or with an old timestamp, no body can make the request Slack's.
    if (!headers && !(isForm && announced <= MAX_CHECK_BYTES)) {
      onRequest(false)
      return answerEarly(req, res, 401, UNSIGNED)
    }
    const body = await readBody(req)
    if (body === undefined) {
      req.resume()
      return end(res, 413, TOO_LARGE)
    }
    if (isForm && CERTIFICATE_CHECK.test(body)) return end(res, 200)
    const signingSecret = secret.reveal()
    const isSigned = headers !== undefined && isValidSlackRequest({ signingSecret, body, headers })
    onRequest(isSigned)
    if (!isSigned) return end(res, 401, UNSIGNED)
    markSigned()
    const payload = isForm ? formOf(body) : parseWithoutNulls(body)
    const check = urlCheck.safeParse(payload)
    if (check.success) return answerJson(res, { challenge: check.data.challenge })
    await intake.take(payload, (outcome) => {
      if (outcome.kind === "malformed") return end(res, 400, "Not a Slack payload.")
      if (outcome.kind === "failed") return end(res, 500, "Not processed. Send it again.")
      return outcome.body === undefined ? end(res, 200) : answerJson(res, outcome.body)
    })
  }

  return { init: intake.init, start: async () => {}, stop: async () => {}, handle }
}

function stampOf({ "x-slack-signature": signature, ...headers }: IncomingHttpHeaders) {
  const moment = headers["x-slack-request-timestamp"]
  if (typeof signature !== "string" || typeof moment !== "string") return undefined
  if (!/^\d{1,12}$/.test(moment)) return undefined
  if (Math.abs(Date.now() / 1000 - Number(moment)) > MAX_SKEW_S) return undefined
  return { "x-slack-signature": signature, "x-slack-request-timestamp": Number(moment) }
}

/** Parses a form body: commands are a form, interactions a form with JSON in `payload`. */
function formOf(raw: string): unknown {
  const form = parse(raw)
  return typeof form.payload === "string" ? parseWithoutNulls(form.payload) : { ...form }
}

/** Payload that Slack sends when somebody enters the Request URL. */
const urlCheck = z.object({ type: z.literal("url_verification"), challenge: z.string() })

function answerJson(res: ServerResponse, body: unknown): void {
  end(res, 200, JSON.stringify(body), "application/json; charset=utf-8")
}

/** Ends the response. Sets its content length, so that Node does not send chunks. */
function end(res: ServerResponse, status: number, text = "", type = "text/plain; charset=utf-8") {
  const headers = { "content-type": type, "content-length": Buffer.byteLength(text) }
  res.writeHead(status, headers).end(text)
}

/** Makes the reader of bodies, which limits all of them together. */
function createBodyReader() {
  /** Bytes that each unfinished body is charged for, oldest first. */
  const coming = new Map<IncomingMessage, number>()
  let bytes = 0

  function chargeFor(req: IncomingMessage, cost: number): void {
    bytes += cost - (coming.get(req) ?? 0)
    coming.set(req, cost)
    // A Map keeps the order of insertion: the first is the oldest.
    for (const oldest of coming.keys()) {
      if (bytes <= MAX_COMING_BYTES) break
      forget(oldest)
      oldest.destroy()
    }
  }

  /** Counts a large body before it comes: what is read in vain stays in memory for a while. */
  async function chargeInFull(req: IncomingMessage, cost: number): Promise<void> {
    chargeFor(req, cost)
    await delay(LARGE_WAIT_MS)
  }

  function forget(req: IncomingMessage): void {
    bytes -= coming.get(req) ?? 0
    coming.delete(req)
  }

  /**
   * Reads a body; returns undefined if it is too large. Rejects if the sender hangs up or takes too
   * long, or if newer bodies need the memory: Slack's bodies arrive quickly.
   */
  return async (req: IncomingMessage): Promise<string | undefined> => {
    const { "content-length": announced } = req.headers
    const chunks: Buffer[] = []
    let size = 0
    try {
      if (Number(announced ?? 0) > USUAL_BYTES) await chargeInFull(req, Number(announced))
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        size += chunk.length
        if (size > MAX_BODY_BYTES) return undefined
        chunks.push(chunk)
        const charged = coming.get(req) ?? 0
        chargeFor(req, Math.max(charged, size + chunks.length * PIECE_BYTES))
        if (!announced && size > UNANNOUNCED_BYTES && charged < MAX_BODY_BYTES)
          await chargeInFull(req, MAX_BODY_BYTES)
      }
      return Buffer.concat(chunks).toString("utf8")
    } finally {
      forget(req)
    }
  }
}
