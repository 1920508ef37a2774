import type { FaultBoard } from "../kit/fault-board.ts"
import type { Tokens } from "./api/admission.ts"
import type { Fault, ParsedFault } from "./faults.ts"
import type { Repositories } from "./repositories.ts"
import type { Settings } from "./settings.ts"

type GitHubFaults = FaultBoard<Fault, ParsedFault, { readonly path: string }>

/** What the API and the pages work on. */
export interface State {
  readonly now: () => number
  /** The path the API lives below, such as `/api/v3`. */
  readonly basePath: string
  readonly origin: () => string
  readonly apiUrl: () => string
  readonly repositories: Repositories
  readonly tokens: Tokens
  readonly faults: GitHubFaults
  settings: Settings
}
