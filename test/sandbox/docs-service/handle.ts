import { Conversations } from "./analytics/conversations.ts"
import { dayOf } from "./analytics/paging.ts"
import type { Events } from "./events.ts"
import type { Project } from "./project.ts"
import type { RequestLog } from "./request-log.ts"
import type { DocsService } from "./service.ts"
import { changed } from "./settings.ts"
import type { State } from "./state.ts"

interface Parts {
  readonly state: State
  readonly events: Events
  readonly log: RequestLog
  readonly url: string
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** The strings a test or the sandbox pulls on a running service. */
export function docsServiceHandle(parts: Parts): DocsService {
  const { state, events, log, url, close } = parts
  return {
    url,
    projects: [...state.projects.values()].map(withoutKey),
    creations: state.creations,
    previews: state.previews.all,
    requests: log.entries,
    get connections() {
      return parts.connections()
    },
    ...jobStrings(state, events),
    ...faultStrings(state),
    ...hourStrings(state, events),
    get settings() {
      return state.settings
    },
    configure(changes) {
      state.settings = changed(state.settings, changes)
      events.emit({ type: "settings" })
    },
    truth(projectId, from, toExclusive) {
      const range = { from: dayOf(from), to: dayOf(toExclusive) }
      const whole = state.visitors.read(projectId, range, state.settings.visitors, state.now())
      return { totals: whole.totals, visitors: whole.rows(0, whole.count) }
    },
    conversations(projectId, from, toExclusive) {
      const { analytics, visitors } = state.settings
      const at = state.now() - visitors.lagMs
      const all = new Conversations(projectId, analytics, at)
      const range = { from: dayOf(from), to: dayOf(toExclusive) }
      return all.page(range, undefined, all.count(range)) ?? []
    },
    subscribe: (listener) => events.subscribe(listener),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function projectOf({ projects }: State, id: string): Project {
  const found = projects.get(id)
  if (!found) throw new Error(`There is no project ${JSON.stringify(id)}`)
  return found
}

function withoutKey({ id, name, repository, push }: Project): Omit<Project, "key"> {
  return { id, name, repository, push }
}

type JobStrings =
  | ("jobs" | "job" | "plan" | "planAll" | "clearPlans" | "plans")
  | ("finish" | "reactivate" | "setPrLink")

function jobStrings({ jobs }: State, events: Events): Pick<DocsService, JobStrings> {
  return {
    jobs: (projectId) => jobs.ofProject(projectId),
    job: (jobId) => jobs.get(jobId),
    plan(...plans) {
      jobs.plan(...plans)
      events.emit({ type: "plans" })
    },
    planAll(plan) {
      jobs.planAll(plan)
      events.emit({ type: "plans" })
    },
    clearPlans() {
      jobs.clearPlans()
      events.emit({ type: "plans" })
    },
    plans: () => jobs.plans(),
    finish(jobId, ending) {
      jobs.finish(jobId, ending)
    },
    reactivate(jobId, plan) {
      jobs.reactivate(jobId, plan)
    },
    setPrLink(jobId, link) {
      jobs.setPrLink(jobId, link)
    },
  }
}

type FaultStrings = "fail" | "faults" | "clearFault" | "clearFaults"

function faultStrings({ faults }: State): Pick<DocsService, FaultStrings> {
  return {
    fail: (fault) => faults.add(fault),
    faults: () => faults.list(),
    clearFault: (id) => faults.clear(id),
    clearFaults() {
      faults.clearAll()
    },
  }
}

function hourStrings(state: State, events: Events): Pick<DocsService, "hour" | "spendElsewhere"> {
  return {
    hour: (projectId, of = "create") =>
      state.windows.state(of, projectOf(state, projectId), state.settings, state.now()),
    spendElsewhere(projectId, n, of = "create") {
      state.windows.add(of, projectOf(state, projectId), state.settings, state.now(), n)
      events.emit({ type: "hour" })
    },
  }
}
