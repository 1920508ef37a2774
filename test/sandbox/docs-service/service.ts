import type { Listeners } from "../kit/listeners.ts"
import { conversationsOf } from "./analytics/conversations.ts"
import { dayOf } from "./analytics/paging.ts"
import type { DocsEvent, SeenRequest } from "./events.ts"
import type { Fault } from "./faults.ts"
import type { Project, ProjectOptions } from "./project.ts"
import { changed, type SettingsChanges } from "./settings.ts"
import type { State } from "./state.ts"
import type { VisitorExport } from "./visitors/data-set.ts"

export interface DocsServiceOptions extends SettingsChanges {
  readonly projects: readonly ProjectOptions[]
  /** Base URL of the source repositories, such as a local GitHub; this service by default. */
  readonly repositoriesUrl?: string
  /** Clock for all windows, job progress and dates, in epoch ms. */
  readonly now?: () => number
}

interface Parts {
  readonly state: State
  readonly events: Listeners<DocsEvent>
  readonly requests: readonly SeenRequest[]
  readonly url: string
  /** Closes open connections, clears timers and frees the port. */
  readonly close: () => Promise<void>
}

/** Handle of the local documentation service: its address, and controls for tests. */
export type DocsService = ReturnType<typeof docsServiceHandle>

/** Returns the controls of a running service, for tests and the sandbox. */
export function docsServiceHandle({ state, events, requests, url, close }: Parts) {
  const { jobs, faults } = state
  const { plan, planAll, finish, setPrLink } = jobs
  return {
    url,
    projects: [...state.projects.values()].map(withoutKey),
    /** Creations that took effect, oldest first, including those whose response was dropped. */
    creations: state.creations,
    requests,

    jobs: jobs.ofProject,
    job: jobs.get,
    plan,
    planAll,
    finish,
    setPrLink,
    fail: (fault: Fault) => faults.add(fault),

    /** Returns all rows of an export of these UTC days (`YYYY-MM-DD`, without `toExclusive`). */
    truth(projectId: string, from: string, toExclusive: string): VisitorExport {
      const range = { from: dayOf(from), to: dayOf(toExclusive) }
      return state.visitors.read(projectId, range, state.settings.visitors, state.now())
    },
    /** Returns the questions to the assistant on these UTC days with their topics, newest first. */
    conversations(projectId: string, from: string, toExclusive: string) {
      const range = { from: dayOf(from), to: dayOf(toExclusive) }
      return conversationsOf(projectId, state.settings.analytics, range, state.now())
    },

    get settings() {
      return state.settings
    },
    configure(changes: SettingsChanges) {
      state.settings = changed(state.settings, changes)
    },
    /** Calls the listener on every request and change. @returns a function that unsubscribes. */
    subscribe: (listener: (event: DocsEvent) => void) => events.subscribe(listener),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function withoutKey({ id, name, repository }: Project): Omit<Project, "key"> {
  return { id, name, repository }
}
