import type { IncomingHttpHeaders } from "node:http"
import { isValidSlackRequest } from "@slack/bolt"

/** Slack's rule for age; the same for clocks ahead of ours, which Bolt's own check lets pass. */
const MAX_SKEW_S = 300

/** Signature and moment of a request, by which it is judged before any of its body is read. */
interface Stamp {
  "x-slack-signature": string
  "x-slack-request-timestamp": number
}

/** Both headers of Slack's, where they are there and the moment is near. @param now ms */
export function stampOf(headers: IncomingHttpHeaders, now: number): Stamp | undefined {
  const { "x-slack-signature": signature, "x-slack-request-timestamp": moment } = headers
  if (typeof signature !== "string" || typeof moment !== "string") return undefined
  if (!/^\d{1,12}$/.test(moment)) return undefined
  if (Math.abs(now / 1000 - Number(moment)) > MAX_SKEW_S) return undefined
  return { "x-slack-signature": signature, "x-slack-request-timestamp": Number(moment) }
}

/** Is the request Slack's, and fresh? @param body as it came over the wire @param now ms */
export function isSigned(
  headers: IncomingHttpHeaders,
  body: string,
  signingSecret: string,
  now: number,
): boolean {
  const stamp = stampOf(headers, now)
  if (!stamp) return false
  return isValidSlackRequest({ signingSecret, body, headers: stamp, nowMilliseconds: now })
}
