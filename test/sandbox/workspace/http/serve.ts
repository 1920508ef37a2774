import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { z } from "zod"
import { RequestError } from "../request-error.ts"
import type { WorkspaceApi } from "../workspace-api.ts"
import { guard } from "./guard.ts"
import { routeApi, sendJson } from "./routes.ts"
import { sendFile } from "./static-files.ts"

export function serveWorkspace(api: WorkspaceApi, pageFolder: string): RequestListener {
  return (request, response) => {
    answer(api, pageFolder, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, statusOf(error), { ok: false, error: wordsOf(error) })
    })
  }
}

async function answer(
  api: WorkspaceApi,
  pageFolder: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  guard(request)
  const url = new URL(request.url ?? "/", "http://sandbox")
  if (url.pathname.startsWith("/api/")) return await routeApi(api, url, request, response)
  const file = url.pathname === "/" ? "/index.html" : url.pathname
  if (await sendFile(pageFolder, file, response)) return
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
