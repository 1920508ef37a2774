import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { parse } from "node:querystring"
import { isValidSlackRequest } from "@slack/bolt"
import { z } from "zod"
import { answerEarly } from "../lib/http-server.ts"
import { parseWithoutNulls } from "../lib/json.ts"
import type { Secret } from "../lib/secret.ts"
import type { Intake } from "./intake.ts"
import { createBodyReader, MAX_BODY_BYTES } from "./request-body.ts"

const TOO_LARGE = "Request body too large."
const UNSIGNED = "Invalid Slack signature."

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

  async function handle(req: IncomingMessage, res: ServerResponse, keep: () => void) {
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
    keep()
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
