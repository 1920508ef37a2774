import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type HttpServer, listen } from "../kit/http-server.ts"
import { Listeners } from "../kit/listeners.ts"
import { remember } from "../kit/remember.ts"
import { send } from "../kit/reply.ts"
import { answerRequest } from "./api/exchange.ts"
import {
  gitHubHandle,
  type LocalGitHub,
  type LocalGitHubOptions,
  type SeenApiRequest,
} from "./local-github.ts"
import { answerPage } from "./pages/answer.ts"
import { API_PATH, createState, type State } from "./state.ts"

const REMEMBERED = 5_000

/** Starts the local GitHub on the loopback interface. */
export async function startLocalGitHub(options: LocalGitHubOptions): Promise<LocalGitHub> {
  const changes = new Listeners<void>()
  const requests: SeenApiRequest[] = []
  const closing = new AbortController()
  const changed = () => changes.emit()
  let server: HttpServer | undefined
  const state = createState(options, () => server?.url ?? "", changed)
  const seen = (request: SeenApiRequest) => {
    remember(requests, request, REMEMBERED)
    changed()
  }
  server = await listen(0, (request, response) => {
    answer(state, seen, request, response).catch((error: unknown) => {
      if (!closing.signal.aborted) response.writeHead(500)
      response.end(String(error))
    })
  })
  // The server doesn't keep the process running.
  const listening = server
  listening.server.unref()
  return gitHubHandle({
    state,
    requests,
    changes,
    url: listening.url,
    close: async () => {
      closing.abort()
      await listening.close()
    },
  })
}

async function answer(
  state: State,
  seen: (request: SeenApiRequest) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", state.origin())
  const isApi = url.pathname.startsWith(`${API_PATH}/`)
  if (!isApi) return send(response, await answerPage(state, request, url))
  const path = url.pathname.slice(API_PATH.length)
  const fault = state.faults.strike(path)
  const reply = fault?.type === "reset" ? undefined : answerRequest(state, request, url, fault)
  const gone = response.destroyed || response.socket?.destroyed !== false
  seen({ path: `${path}${url.search}`, status: reply && !gone ? reply.status : "dropped" })
  response.setHeader("x-github-request-id", randomUUID())
  if (reply) send(response, reply)
  else request.socket.resetAndDestroy()
}
