import type { IncomingMessage } from "node:http"
import { RequestError } from "../request-error.ts"

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/**
 * Rejects requests from other sites: any site in a browser can send requests to the loopback
 * interface, under its own name (DNS rebinding) or with a form.
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
