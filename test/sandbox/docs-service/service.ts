import type { JobEnding, JobPlan } from "./agent-job.ts"
import { conversationsOf, type LocalConversation } from "./analytics/conversations.ts"
import { dayOf } from "./analytics/paging.ts"
import type { DocsListener, Events } from "./events.ts"
import type { Fault } from "./faults.ts"
import type { Project, ProjectOptions } from "./project.ts"
import type { RequestLog, SeenRequest } from "./request-log.ts"
import { changed, type SettingsChanges } from "./settings.ts"
import type { State } from "./state.ts"
import type { VisitorExport } from "./visitors/visitors.ts"
import type { LimitedKind } from "./windows.ts"

export interface DocsServiceOptions extends SettingsChanges {
  readonly projects: readonly ProjectOptions[]
  /** Where the source repositories are, such as a local GitHub; this service unless given. */
  readonly repositoriesUrl?: string
  /** The clock all hours, job progress and dates go by, in epoch ms. */
  readonly now?: () => number
  /** The id of the n-th job, counted from 1; any text, since the document shows no format. */
  readonly idFor?: (n: number) => string
  readonly requestLogSize?: number
}

interface Parts {
  readonly state: State
  readonly events: Events
  readonly log: RequestLog
  readonly url: string
  readonly connections: () => number
  /** Drops open connections, ends timers and frees the port. */
  readonly close: () => Promise<void>
}

/** The local documentation service: what a client sees over HTTP, and the strings behind it. */
export type DocsService = ReturnType<typeof docsServiceHandle>

/** The strings a test or the sandbox pulls on a running service. */
export function docsServiceHandle({ state, events, log, url, connections, close }: Parts) {
  const { jobs, faults, windows } = state
  const requests: readonly SeenRequest[] = log.entries
  return {
    url,
    projects: [...state.projects.values()].map(withoutKey),
    /** Every creation that took effect, oldest first, also where its answer was then dropped. */
    creations: state.creations,
    /** Every preview that was asked for and accepted, oldest first, also where the answer was lost. */
    previews: state.previews.all,
    requests,
    get connections() {
      return connections()
    },

    /** Jobs of a project, oldest first, as they stand now. */
    jobs: (projectId: string) => jobs.ofProject(projectId),
    job: (jobId: string) => jobs.get(jobId),
    /** Plans for the next created jobs, first in, first out. */
    plan(...plans: JobPlan[]) {
      jobs.plan(...plans)
      events.emit({ type: "plans" })
    },
    /** Plan for every job without one of its own from now on. */
    planAll(plan: JobPlan) {
      jobs.planAll(plan)
      events.emit({ type: "plans" })
    },
    /** Forgets the plans of the next jobs; the default stays. */
    clearPlans() {
      jobs.clearPlans()
      events.emit({ type: "plans" })
    },
    plans: () => jobs.plans(),
    /** Ends an active job at once. @throws when there is no such job. */
    finish: (jobId: string, ending: JobEnding) => jobs.finish(jobId, ending),
    /** Turns a job active again, as a follow-up from the service's dashboard does. */
    reactivate: (jobId: string, plan?: JobPlan) => jobs.reactivate(jobId, plan),
    /** Reports this link from now on, whatever the job does. Not validated: that is the point. */
    setPrLink: (jobId: string, link: string | null) => jobs.setPrLink(jobId, link),

    /** @throws ZodError when the fault has no known shape. */
    fail: (fault: Fault) => faults.add(fault),
    faults: () => faults.list(),
    clearFault: (id: string) => faults.clear(id),
    clearFaults: () => faults.clearAll(),

    /** The project's creations or messages, or its organization's analytics, in the window until now. */
    hour: (projectId: string, of: LimitedKind = "create") =>
      windows.state(of, projectOf(state, projectId), state.settings, state.now()),
    /** Other clients make `n` such requests with the same project or key; no more is known. */
    spendElsewhere(projectId: string, n: number, of: LimitedKind = "create") {
      windows.add(of, projectOf(state, projectId), state.now(), n)
      events.emit({ type: "hour" })
    },

    /** Rows that an export of these UTC days (`YYYY-MM-DD`, `toExclusive` left out) holds in all. */
    truth(projectId: string, from: string, toExclusive: string): VisitorExport {
      const range = { from: dayOf(from), to: dayOf(toExclusive) }
      return state.visitors.read(projectId, range, state.settings.visitors, state.now())
    },
    /** Questions of readers to the assistant on these UTC days, newest first, with their subjects. */
    conversations(
      projectId: string,
      from: string,
      toExclusive: string,
    ): readonly LocalConversation[] {
      const range = { from: dayOf(from), to: dayOf(toExclusive) }
      return conversationsOf(projectId, state.settings.analytics, range, state.now())
    },

    get settings() {
      return state.settings
    },
    /** @throws ZodError when a value is out of range. */
    configure(changes: SettingsChanges) {
      state.settings = changed(state.settings, changes)
      events.emit({ type: "settings" })
    },
    /** Calls back on every request and change. @returns what ends the subscription. */
    subscribe: (listener: DocsListener) => events.subscribe(listener),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function projectOf({ projects }: State, id: string): Project {
  const found = projects.get(id)
  if (!found) throw new Error(`There is no project ${JSON.stringify(id)}`)
  return found
}

function withoutKey({ id, name, repository }: Project): Omit<Project, "key"> {
  return { id, name, repository }
}
