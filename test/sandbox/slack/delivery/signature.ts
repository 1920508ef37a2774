import { createHmac } from "node:crypto"

/** Returns the headers that prove a request comes from Slack (scheme v0). `at` is in seconds. */
export function signatureHeaders(secret: string, at: number, body: string) {
  const digest = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex")
  return { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${digest}` }
}
