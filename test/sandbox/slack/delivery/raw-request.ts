import type { Acknowledgement } from "./delivery.ts"
import { type HttpTransportOptions, send } from "./http-transport.ts"
import { signatureHeaders } from "./signature.ts"

export interface RawRequestOptions {
  /** Added last, so that they replace what would be sent. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `wrong` signs with another secret. */
  readonly sign?: boolean | "wrong" | undefined
  /** Moves the signed timestamp, in milliseconds; negative is the past. */
  readonly timestampOffsetMs?: number | undefined
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
