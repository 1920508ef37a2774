import { type Aim, createFaultBoard } from "../kit/fault-board.ts"
import { createRateLimit } from "./api/admission.ts"
import type { LocalGitHubOptions } from "./local-github.ts"
import { Repositories } from "./repositories.ts"

/** Path of GitHub Enterprise Server's API. */
export const API_PATH = "/api/v3"

interface StatusFault {
  readonly type: "status"
  readonly status: number
  readonly message?: string
  readonly body?: "html" | "empty"
}

export type Fault = Aim &
  (
    | StatusFault
    /**
     * Sends "An error message that indicates that you exceeded a secondary rate limit", with the
     * delay in seconds "If the `retry-after` response header is present".
     */
    | {
        readonly type: "secondary_limit"
        readonly status?: 403 | 429 | undefined
        readonly retryAfter?: number | undefined
      }
    /** "Any request may result in a redirection." */
    | { readonly type: "redirect"; readonly location: string }
    | { readonly type: "body"; readonly text: string }
    /** Returns valid JSON with another value of a top-level field. */
    | { readonly type: "field"; readonly name: string; readonly value: unknown }
    | { readonly type: "reset" }
  )

export type State = ReturnType<typeof createState>

export function createState(
  options: LocalGitHubOptions,
  origin: () => string,
  changed: () => void,
) {
  const { tokens, now = Date.now, requestsPerHour = 5_000 } = options
  const limit = { perHour: requestsPerHour }
  return {
    now,
    origin,
    apiUrl: () => `${origin()}${API_PATH}`,
    repositories: new Repositories(now, changed),
    /** Tokens that the API accepts, and the usage of each in the current hour. */
    tokens: new Map(tokens.map((token) => [token, createRateLimit(limit, now)])),
    faults: createFaultBoard<Fault, string>(() => true),
    limit,
  }
}
