import type { LocalGitHub, SeenApiRequest } from "./local-github.ts"
import { settingsSchema } from "./settings.ts"
import type { State } from "./state.ts"

interface Parts {
  readonly state: State
  readonly requests: readonly SeenApiRequest[]
  readonly listeners: Set<() => void>
  readonly changed: () => void
  readonly url: string
  readonly close: () => Promise<void>
}

/** The strings a test or the sandbox pulls on a running GitHub. */
export function gitHubHandle({
  state,
  requests,
  listeners,
  changed,
  url,
  close,
}: Parts): LocalGitHub {
  return {
    url,
    apiUrl: state.apiUrl(),
    requests,
    ...pullStrings(state),
    ...tokenStrings(state),
    fail: (fault) => state.faults.add(fault),
    faults: () => state.faults.list(),
    clearFaults: () => state.faults.clearAll(),
    get settings() {
      return state.settings
    },
    configure(changes) {
      state.settings = settingsSchema.parse({ ...state.settings, ...changes })
      changed()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

type PullStrings =
  | ("pulls" | "pull" | "push" | "act")
  | ("createRepository" | "deletePull" | "moveRepository" | "deleteRepository" | "setReadable")

function pullStrings(state: State): Pick<LocalGitHub, PullStrings> {
  const { repositories } = state
  const idOf = (name: string) => repositories.byName(name)?.id ?? 0
  return {
    pulls: (repository) =>
      (repository === undefined ? repositories.names() : [repository]).flatMap((name) =>
        repositories.pulls(idOf(name)),
      ),
    pull: (repository, number) => repositories.pull(idOf(repository), number),
    push: (pull) => repositories.push(pull, state.settings.asDrafts),
    act: (repository, number, action) => repositories.act(repository, number, action),
    createRepository: (name) => repositories.create(name),
    deletePull: (repository, number) => repositories.deletePull(repository, number),
    moveRepository: (name, to) => repositories.move(name, to),
    deleteRepository: (name) => repositories.delete(name),
    setReadable: (name, isReadable) => repositories.setReadable(name, isReadable),
  }
}

type TokenStrings = "expireTokens" | "acceptToken" | "rate" | "spendElsewhere"

function tokenStrings(state: State): Pick<LocalGitHub, TokenStrings> {
  const { tokens } = state
  return {
    expireTokens: () => tokens.expire(),
    acceptToken: (token) => tokens.accept(token),
    rate(token) {
      const { requestsPerHour } = state.settings
      return requestsPerHour === null
        ? undefined
        : tokens.limitOf(token).state(requestsPerHour, state.now())
    },
    spendElsewhere(token, n) {
      // An hour begins with the first request in it, whoever made it.
      tokens.limitOf(token).state(state.settings.requestsPerHour ?? 0, state.now())
      tokens.limitOf(token).spend(n)
    },
  }
}
