import type { FaultHandle, PlannedFault } from "../kit/fault-board.ts"
import type { Fault, ParsedFault } from "./faults.ts"
import type { LocalPull, PullAction, PushedPull } from "./pull.ts"
import type { RateState } from "./rate-limit.ts"
import type { Settings, SettingsChanges } from "./settings.ts"

export interface LocalGitHubOptions extends Partial<Settings> {
  /** The tokens that may read. */
  readonly tokens: readonly string[]
  /** The path the API lives below; that of GitHub Enterprise Server unless given. */
  readonly basePath?: string
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** The clock of all times, in epoch ms. */
  readonly now?: () => number
}

export interface SeenApiRequest {
  /** Epoch ms of this GitHub's clock. */
  readonly at: number
  readonly method: string
  /** As sent, with the query. */
  readonly path: string
  /** `dropped`: no answer left. */
  readonly status: number | "dropped"
  readonly ifNoneMatch: string | undefined
  /** The header as sent: a test looks for tokens where they do not belong. */
  readonly authorization: string | undefined
}

/** The local GitHub: its REST API as far as pull requests are read, its pages, and the strings. */
export interface LocalGitHub extends AsyncDisposable {
  /** Where its pages are; links to pull requests begin so. */
  readonly url: string
  /** The base of its REST API. */
  readonly apiUrl: string

  /** Oldest first; of all repositories unless one is named. */
  pulls(repository?: string): LocalPull[]
  pull(repository: string, number: number): LocalPull | undefined
  /** Opens a pull request, or brings to it what was pushed to its branch. */
  push(pull: PushedPull): LocalPull
  /** Does what a person does on the page. @throws Error when GitHub would not let them. */
  act(repository: string, number: number, action: PullAction): LocalPull
  /** Creates a repository without pull requests; does nothing where it is known. */
  createRepository(name: string): void
  deletePull(repository: string, number: number): void
  moveRepository(name: string, to: string): void
  deleteRepository(name: string): void
  /** Whether the tokens may read the repository. */
  setReadable(name: string, isReadable: boolean): void

  /** From now on every token is refused. */
  expireTokens(): void
  acceptToken(token: string): void
  /** The token's hour as it stands; undefined where there are no limits. */
  rate(token: string): RateState | undefined
  /** Other programs make `n` requests with the same token. */
  spendElsewhere(token: string, n: number): void

  /** Requests to the API, newest last; at most the last 5,000. */
  readonly requests: readonly SeenApiRequest[]
  /** @throws ZodError when the fault has no known shape. */
  fail(fault: Fault): FaultHandle
  faults(): PlannedFault<ParsedFault>[]
  clearFaults(): void
  readonly settings: Settings
  /** @throws ZodError when a value is out of range. */
  configure(changes: SettingsChanges): void
  /** Calls back on every request and change. @returns what ends the subscription. */
  subscribe(listener: () => void): () => void
  /** Drops open connections and frees the port. */
  close(): Promise<void>
}
