import type { Acknowledgement } from "./delivery.ts"
import { type HttpTransportOptions, send } from "./http-transport.ts"
import { signatureHeaders } from "./signature.ts"

export interface RawRequestOptions {
  /** Headers added last, so that they replace the default ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Signature; `wrong` uses another secret. */
  readonly sign?: boolean | "wrong" | undefined
  /** Offset in ms of the signed timestamp; negative for the past. */
  readonly timestampOffsetMs?: number | undefined
}

/** Posts any body to the bot, by default as JSON and signed. */
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
