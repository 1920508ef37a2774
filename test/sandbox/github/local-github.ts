import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type HttpServer, listen } from "../kit/http-server.ts"
import { Listeners, remember } from "../kit/listeners.ts"
import { send } from "../kit/reply.ts"
import { type ApiRequest, answerRequest } from "./api/exchange.ts"
import { answerPage } from "./pages/answer.ts"
import { API_PATH, createState, type Fault, type State } from "./state.ts"

export interface LocalGitHubOptions {
  readonly tokens: readonly string[]
  /**
   * Limit of a token, by default "5,000 requests per hour". Null for none: "Rate limits are
   * disabled by default for GitHub Enterprise Server".
   */
  readonly requestsPerHour?: number | null
  /** Clock for all times, in epoch ms. */
  readonly now?: () => number
}

interface SeenApiRequest {
  readonly path: string
  /** Status sent; `dropped` if there was no response. */
  readonly status: number | "dropped"
}

const REMEMBERED = 5_000

/** Handle of the local GitHub: the REST API for reading pull requests, its pages, and controls. */
export type LocalGitHub = Awaited<ReturnType<typeof startLocalGitHub>>

/** Starts the local GitHub on the loopback interface. */
export async function startLocalGitHub(options: LocalGitHubOptions) {
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
  const close = async () => {
    closing.abort()
    await listening.close()
  }
  return {
    ...controlsOf(state),
    /** Base URL of the pages, and so of links to pull requests. */
    url: listening.url,
    /** Latest 5,000 API requests, oldest first. */
    requests: requests as readonly SeenApiRequest[],
    /** Calls the listener on every request and change. @returns a function that unsubscribes. */
    subscribe: (listener: () => void) => changes.subscribe(listener),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns the controls of a running GitHub, for tests and the sandbox. */
function controlsOf(state: State) {
  const { repositories, tokens } = state
  const { pulls, push, act, setReadable } = repositories
  return {
    apiUrl: state.apiUrl(),
    /** Answers a GET of the API without a connection, for tests with very many. */
    answer: (address: string, headers: ApiRequest["headers"]) =>
      answerRequest(state, { method: "GET", headers }, new URL(address), undefined),

    pulls,
    push,
    act,
    createRepository: repositories.create,
    moveRepository: repositories.move,
    setReadable,

    expireTokens: () => tokens.clear(),
    /** Returns the token's current rate limit; undefined if limits are disabled. */
    rate: (token: string) => tokens.get(token)?.state(),

    fail: (fault: Fault) => state.faults.add(fault),
    limitRequests(perHour: number) {
      state.limit.perHour = perHour
    },
  }
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
