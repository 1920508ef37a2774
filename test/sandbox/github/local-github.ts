import type { Listeners } from "../kit/listeners.ts"
import { type ApiRequest, answerRequest } from "./api/exchange.ts"
import type { Fault } from "./faults.ts"
import type { State } from "./state.ts"

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

export interface SeenApiRequest {
  readonly path: string
  /** Status sent; `dropped` if there was no response. */
  readonly status: number | "dropped"
}

interface Parts {
  readonly state: State
  readonly requests: readonly SeenApiRequest[]
  readonly changes: Listeners<void>
  /** Base URL of the pages, and so of links to pull requests. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Handle of the local GitHub: the REST API for reading pull requests, its pages, and controls. */
export type LocalGitHub = ReturnType<typeof gitHubHandle>

/** Returns the controls of a running GitHub, for tests and the sandbox. */
export function gitHubHandle({ state, requests, changes, url, close }: Parts) {
  const { repositories, tokens } = state
  const { pulls, push, act, setReadable } = repositories
  return {
    url,
    apiUrl: state.apiUrl(),
    /** Answers a GET of the API without a connection, for tests with very many. */
    answer: (address: string, headers: ApiRequest["headers"]) =>
      answerRequest(state, { method: "GET", headers }, new URL(address), undefined),
    /** Latest 5,000 API requests, oldest first. */
    requests,

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
    /** Calls the listener on every request and change. @returns a function that unsubscribes. */
    subscribe: (listener: () => void) => changes.subscribe(listener),
    close,
    [Symbol.asyncDispose]: close,
  }
}
