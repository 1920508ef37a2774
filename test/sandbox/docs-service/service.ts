import { setMaxListeners } from "node:events"
import { listen } from "../kit/http-server.ts"
import { Listeners, remember } from "../kit/listeners.ts"
import { failure } from "../kit/reply.ts"
import type { ProjectOptions } from "./admission.ts"
import { conversationsOf } from "./analytics/conversations.ts"
import { exchange } from "./exchange.ts"
import type { Fault } from "./faults.ts"
import { changed, type SettingsChanges } from "./settings.ts"
import { createState, type DocsEvent, type SeenRequest, type State } from "./state.ts"
import type { VisitorExport } from "./visitors/data-set.ts"
import { dayOf } from "./visitors/utc-day.ts"

/** Number of requests that the log keeps. */
const REMEMBERED = 10_000

export interface DocsServiceOptions extends SettingsChanges {
  readonly projects: readonly ProjectOptions[]
  /** Base URL of the source repositories, such as a local GitHub; this service by default. */
  readonly repositoriesUrl?: string
  /** Clock for all windows, job progress and dates, in epoch ms. */
  readonly now?: () => number
}

/** Handle of the local documentation service: its address, and controls for tests. */
export type DocsService = Awaited<ReturnType<typeof startDocsService>>

/** Starts the local documentation service on the loopback interface. */
export async function startDocsService(options: DocsServiceOptions) {
  const events = new Listeners<DocsEvent>()
  const requests: SeenRequest[] = []
  const closing = new AbortController()
  // One listener per response that is delayed.
  setMaxListeners(0, closing.signal)
  let origin = ""
  const state = createState(options, events, () => origin)
  const http = await listen(0, (request, response) => {
    const seen = (entry: SeenRequest) => {
      remember(requests, entry, REMEMBERED)
      events.emit({ type: "request", request: entry })
    }
    exchange({ state, seen, closing: closing.signal }, request, response).catch(
      (error: unknown) => {
        if (closing.signal.aborted || request.destroyed || response.headersSent) response.destroy()
        else response.writeHead(500).end(failure(500, String(error)).body)
      },
    )
  })
  // The document has no keep-alive timeout, so a client may keep its connections open indefinitely.
  http.server.keepAliveTimeout = 0
  origin = http.url
  /** Closes open connections, clears timers and frees the port. */
  const close = async () => {
    closing.abort()
    state.jobs.close()
    await http.close()
  }
  return {
    ...controlsOf(state),
    url: origin,
    requests: requests as readonly SeenRequest[],
    get settings() {
      return state.settings
    },
    /** Calls the listener on every request and change. @returns a function that unsubscribes. */
    subscribe: (listener: (event: DocsEvent) => void) => events.subscribe(listener),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns the controls of a running service, for tests and the sandbox. */
function controlsOf(state: State) {
  const { jobs, faults } = state
  const { plan, planAll, finish, setPrLink } = jobs
  return {
    projects: [...state.projects.values()],
    /** Creations that took effect, oldest first, including those whose response was dropped. */
    creations: state.creations,

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
    configure(changes: SettingsChanges) {
      state.settings = changed(state.settings, changes)
    },
  }
}
