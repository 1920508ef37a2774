import { type Fault, faultSchema } from "./faults.ts"
import type { LocalPull, PullAction, PushedPull } from "./pull.ts"
import { type Settings, type SettingsChanges, settingsSchema } from "./settings.ts"
import type { State } from "./state.ts"

export interface LocalGitHubOptions extends Partial<Settings> {
  readonly tokens: readonly string[]
  /** Clock for all times, in epoch ms. */
  readonly now?: () => number
}

export interface SeenApiRequest {
  /** Time in epoch ms, by this GitHub's clock. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** Status sent; `dropped` if there was no response. */
  readonly status: number | "dropped"
  /** Header as sent, so that tests can find tokens that were sent to the wrong server. */
  readonly authorization: string | undefined
}

interface Parts {
  readonly state: State
  readonly requests: readonly SeenApiRequest[]
  readonly listeners: Set<() => void>
  readonly changed: () => void
  /** Base URL of the pages, and so of links to pull requests. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Handle of the local GitHub: the REST API for reading pull requests, its pages, and controls. */
export type LocalGitHub = ReturnType<typeof gitHubHandle>

/** Returns the controls of a running GitHub, for tests and the sandbox. */
export function gitHubHandle({ state, requests, listeners, changed, url, close }: Parts) {
  const { repositories, tokens } = state
  const idOf = (name: string) => repositories.byName(name)?.id ?? 0
  const rate = (token: string) => {
    const { requestsPerHour } = state.settings
    return requestsPerHour === null
      ? undefined
      : tokens.limitOf(token).state(requestsPerHour, state.now())
  }
  return {
    url,
    apiUrl: state.apiUrl(),
    /** Latest 5,000 API requests, oldest first. */
    requests,

    /** Returns the pull requests of one repository or of all, oldest first. */
    pulls: (repository?: string): LocalPull[] =>
      (repository === undefined ? repositories.names() : [repository]).flatMap((name) =>
        repositories.pulls(idOf(name)),
      ),
    pull: (repository: string, number: number) => repositories.pull(idOf(repository), number),
    /** Opens a pull request, or updates it with new commits. */
    push: (pull: PushedPull) => repositories.push(pull),
    /** Performs a person's action on the page. @throws Error if GitHub wouldn't allow it. */
    act: (repository: string, number: number, action: PullAction) =>
      repositories.act(repository, number, action),
    /** Creates a repository without pull requests, unless it exists. */
    createRepository: (name: string) => repositories.create(name),
    moveRepository: (name: string, to: string) => repositories.move(name, to),
    setReadable: (name: string, isReadable: boolean) => repositories.setReadable(name, isReadable),

    expireTokens: () => tokens.expire(),
    /** Returns the token's current rate limit; undefined if limits are disabled. */
    rate,

    /** Adds a fault. @throws ZodError if it is invalid. */
    fail: (fault: Fault) => state.faults.add(faultSchema.parse(fault)),
    get settings() {
      return state.settings
    },
    /** Changes settings. @throws ZodError if a value is out of range. */
    configure(changes: SettingsChanges) {
      state.settings = settingsSchema.parse({ ...state.settings, ...changes })
      changed()
    },
    /** Calls the listener on every request and change. @returns a function that unsubscribes. */
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
