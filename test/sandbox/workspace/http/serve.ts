import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { z } from "zod"
import { RequestError } from "../requests.ts"
import type { WorkspaceApi } from "../workspace-api.ts"
import { type Page, sendPage } from "./page.ts"
import { routeApi, sendJson } from "./routes.ts"

export function serveWorkspace(api: WorkspaceApi, page: Page): RequestListener {
  return (request, response) => {
    answer(api, page, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, statusOf(error), { ok: false, error: wordsOf(error) })
    })
  }
}

async function answer(
  api: WorkspaceApi,
  page: Page,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  guard(request)
  const url = new URL(request.url ?? "/", "http://sandbox")
  if (url.pathname.startsWith("/api/")) return await routeApi(api, url, request, response)
  if (sendPage(page, url.pathname, response)) return
  throw new RequestError(404, "Page not found. The workspace is at /")
}

function statusOf(error: unknown): number {
  if (error instanceof RequestError) return error.status
  if (error instanceof z.ZodError) return 400
  return error instanceof TypeError ? 500 : 409
}

/** Returns the error's message; the local Slack's own errors say what a person can't do. */
function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error)
  return error instanceof Error ? error.message : String(error)
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/**
 * Rejects requests that pages of other sites make. A browser lets any page send requests to this
 * machine: with a form, or under the page's own host name if its DNS points here (DNS rebinding).
 * So the host must be a loopback name, the origin this server's own, and the body JSON, which a
 * form can't send.
 * @throws RequestError 403 or 415.
 */
function guard(request: IncomingMessage): void {
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
