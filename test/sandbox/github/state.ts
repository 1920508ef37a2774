import { FaultBoard } from "../kit/fault-board.ts"
import type { Fault } from "./faults.ts"
import type { LocalGitHubOptions } from "./local-github.ts"
import { RateLimit } from "./rate-limit.ts"
import { Repositories } from "./repositories.ts"

/** Path of GitHub Enterprise Server's API. */
export const API_PATH = "/api/v3"

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
    tokens: new Map(tokens.map((token) => [token, new RateLimit(limit, now)])),
    faults: new FaultBoard<Fault, string>(() => true),
    limit,
  }
}
