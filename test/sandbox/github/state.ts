import type { FaultBoard } from "../kit/fault-board.ts"
import type { Tokens } from "./api/admission.ts"
import type { ParsedFault } from "./faults.ts"
import type { Repositories } from "./repositories.ts"

/** Path of GitHub Enterprise Server's API. */
export const API_PATH = "/api/v3"

export interface State {
  readonly now: () => number
  readonly origin: () => string
  readonly apiUrl: () => string
  readonly repositories: Repositories
  readonly tokens: Tokens
  readonly faults: FaultBoard<ParsedFault, string>
  requestsPerHour: number | null
}
