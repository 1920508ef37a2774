import { listen } from "../kit/http-server.ts"
import { Listeners } from "../kit/listeners.ts"
import { remember } from "../kit/remember.ts"
import { failure } from "../kit/reply.ts"
import type { DocsEvent, SeenRequest } from "./events.ts"
import { exchange } from "./exchange.ts"
import { type DocsService, type DocsServiceOptions, docsServiceHandle } from "./service.ts"
import { createState } from "./state.ts"

/** Number of requests that the log keeps. */
const REMEMBERED = 10_000

/** Starts the local documentation service on the loopback interface. */
export async function startDocsService(options: DocsServiceOptions): Promise<DocsService> {
  const events = new Listeners<DocsEvent>()
  const requests: SeenRequest[] = []
  const closing = new AbortController()
  let origin = ""
  const state = createState(options, events, () => origin)
  const http = await listen(0, (request, response) => {
    const seen = (entry: SeenRequest) => {
      remember(requests, entry, REMEMBERED)
      events.emit({ type: "request", request: entry })
    }
    exchange({ state, seen, closing: closing.signal }, request, response).catch(
      (error: unknown) => {
        if (closing.signal.aborted || request.destroyed || response.headersSent) response.destroy()
        else response.writeHead(500).end(failure(500, String(error)).body)
      },
    )
  })
  // The document has no keep-alive timeout, so a client may keep its connections open indefinitely.
  http.server.keepAliveTimeout = 0
  origin = http.url
  const close = async () => {
    closing.abort()
    state.jobs.close()
    await http.close()
  }
  return docsServiceHandle({ state, events, requests, url: origin, close })
}
