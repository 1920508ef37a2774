import type { FaultBoard } from "../kit/fault-board.ts"
import type { Tokens } from "./api/admission.ts"
import type { Fault, ParsedFault } from "./faults.ts"
import type { Repositories } from "./repositories.ts"
import type { Settings } from "./settings.ts"

type GitHubFaults = FaultBoard<Fault, ParsedFault, { readonly path: string }>

export interface State {
  readonly now: () => number
  readonly basePath: string
  readonly origin: () => string
  readonly apiUrl: () => string
  readonly repositories: Repositories
  readonly tokens: Tokens
  readonly faults: GitHubFaults
  settings: Settings
}
