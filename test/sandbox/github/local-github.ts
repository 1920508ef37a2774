import type { Fault } from "./faults.ts"
import type { LocalPull, PullAction, PushedPull } from "./pull.ts"
import { type Settings, type SettingsChanges, settingsSchema } from "./settings.ts"
import type { State } from "./state.ts"

export interface LocalGitHubOptions extends Partial<Settings> {
  readonly tokens: readonly string[]
  /** The clock of all times, in epoch ms. */
  readonly now?: () => number
}

export interface SeenApiRequest {
  /** Epoch ms of this GitHub's clock. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** `dropped`: no answer left. */
  readonly status: number | "dropped"
  /** The header as sent: a test looks for tokens where they do not belong. */
  readonly authorization: string | undefined
}

interface Parts {
  readonly state: State
  readonly requests: readonly SeenApiRequest[]
  readonly listeners: Set<() => void>
  readonly changed: () => void
  /** Where its pages are; links to pull requests begin so. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** The local GitHub: its REST API as far as pull requests are read, its pages, and the strings. */
export type LocalGitHub = ReturnType<typeof gitHubHandle>

/** The strings a test or the sandbox pulls on a running GitHub. */
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
    /** Requests to the API, newest last; at most the last 5,000. */
    requests,

    /** Oldest first; of all repositories unless one is named. */
    pulls: (repository?: string): LocalPull[] =>
      (repository === undefined ? repositories.names() : [repository]).flatMap((name) =>
        repositories.pulls(idOf(name)),
      ),
    pull: (repository: string, number: number) => repositories.pull(idOf(repository), number),
    /** Opens a pull request, or brings to it what was pushed to its branch. */
    push: (pull: PushedPull) => repositories.push(pull),
    /** Does what a person does on the page. @throws Error when GitHub would not let them. */
    act: (repository: string, number: number, action: PullAction) =>
      repositories.act(repository, number, action),
    /** Creates a repository without pull requests; does nothing where it is known. */
    createRepository: (name: string) => repositories.create(name),
    moveRepository: (name: string, to: string) => repositories.move(name, to),
    setReadable: (name: string, isReadable: boolean) => repositories.setReadable(name, isReadable),

    expireTokens: () => tokens.expire(),
    /** The token's hour as it stands; undefined where there are no limits. */
    rate,

    /** @throws ZodError when the fault has no known shape. */
    fail: (fault: Fault) => state.faults.add(fault),
    get settings() {
      return state.settings
    },
    /** @throws ZodError when a value is out of range. */
    configure(changes: SettingsChanges) {
      state.settings = settingsSchema.parse({ ...state.settings, ...changes })
      changed()
    },
    /** Calls back on every request and change. @returns what ends the subscription. */
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
