import type { FaultBoard } from "../kit/fault-board.ts"
import type { Fault } from "./faults.ts"
import type { RateLimit } from "./rate-limit.ts"
import type { Repositories } from "./repositories.ts"

/** Path of GitHub Enterprise Server's API. */
export const API_PATH = "/api/v3"

export interface State {
  readonly now: () => number
  readonly origin: () => string
  readonly apiUrl: () => string
  readonly repositories: Repositories
  /** Tokens that the API accepts, and the usage of each in the current hour. */
  readonly tokens: Map<string, RateLimit>
  readonly faults: FaultBoard<Fault, string>
  requestsPerHour: number | null
}
