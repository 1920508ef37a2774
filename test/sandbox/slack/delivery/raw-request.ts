import { isObject } from "../../kit/json.ts"
import { newId } from "../workspace/ids.ts"
import type { Acknowledgement } from "./delivery.ts"
import { type HttpTransportOptions, send } from "./http-transport.ts"
import { VERIFICATION_TOKEN } from "./payload-parts.ts"
import { signatureHeaders } from "./signature.ts"

export interface RawRequestOptions {
  /** Added last, so that they replace what would be sent. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `wrong` signs with another secret. */
  readonly sign?: boolean | "wrong" | undefined
  /** Moves the signed timestamp, in milliseconds; negative is the past. */
  readonly timestampOffsetMs?: number | undefined
}

/** Asks as Slack does when the events URL is entered; true if the bot echoes the challenge. */
export async function verifyUrl(transport: HttpTransportOptions): Promise<boolean> {
  const challenge = newId("", 40)
  const request = { token: VERIFICATION_TOKEN, challenge, type: "url_verification" }
  const { ok, body } = await sendRaw(transport, JSON.stringify(request), {})
  return ok && isObject(body) && body.challenge === challenge
}

/** Slack's occasional check of the certificate: a form without a signature. */
export function sslCheck(transport: HttpTransportOptions): Promise<Acknowledgement> {
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  return sendRaw(transport, `ssl_check=1&token=${VERIFICATION_TOKEN}`, { headers, sign: false })
}

/** Posts any body to the bot: JSON unless the headers say otherwise, signed unless told not to. */
export function sendRaw(
  transport: HttpTransportOptions,
  body: string,
  { headers = {}, sign = true, timestampOffsetMs = 0 }: RawRequestOptions,
): Promise<Acknowledgement> {
  const at = Math.floor((Date.now() + timestampOffsetMs) / 1000)
  const secret = sign === "wrong" ? `not ${transport.signingSecret}` : transport.signingSecret
  const signature = sign === false ? {} : signatureHeaders(secret, at, body)
  return send(transport, body, { "content-type": "application/json", ...signature, ...headers })
}
