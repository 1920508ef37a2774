import type { IncomingMessage } from "node:http"
import { RequestError } from "../request-error.ts"

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/**
 * Rejects requests that pages of other sites make. A browser lets any page send requests to this
 * machine: with a form, or under the page's own host name if its DNS points here (DNS rebinding).
 * So the host must be a loopback name, the origin this server's own, and the body JSON, which a
 * form can't send.
 * @throws RequestError 403 or 415.
 */
export function guard(request: IncomingMessage): void {
  const host = request.headers.host ?? ""
  if (!LOOPBACK.test(host)) {
    throw new RequestError(403, "Open the sandbox at 127.0.0.1 or localhost")
  }
  const { origin } = request.headers
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new RequestError(403, "Other sites can't use the sandbox")
  }
  if (request.method === "POST" && !isJson(request)) {
    throw new RequestError(415, "Send JSON, with content-type: application/json")
  }
}

function isJson(request: IncomingMessage): boolean {
  return /^application\/json\b/.test(request.headers["content-type"] ?? "")
}
