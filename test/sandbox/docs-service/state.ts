import { createFaultBoard } from "../kit/fault-board.ts"
import type { Listeners } from "../kit/listeners.ts"
import { project } from "./admission.ts"
import type { LocalJob } from "./agent-job.ts"
import { type Fault, isMeantFor } from "./faults.ts"
import { JobBook } from "./job-book.ts"
import type { Operation, Target } from "./operations.ts"
import type { DocsServiceOptions } from "./service.ts"
import { changed, defaultSettings } from "./settings.ts"
import { Visitors } from "./visitors/data-set.ts"

export interface SeenRequest {
  /** Time of arrival in epoch ms, by the service's clock. */
  readonly at: number
  readonly method: string
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Status sent; `dropped` if there was none or the client had already disconnected. */
  readonly status: number | "dropped"
  readonly kind: Operation | "other"
  readonly ms: number
}

export type DocsEvent =
  | { readonly type: "request"; readonly request: SeenRequest }
  | { readonly type: "job"; readonly job: LocalJob }

/** Creation that took effect, even if its response was then lost. */
interface Creation {
  /** Time in epoch ms, by the service's clock. */
  readonly at: number
  readonly projectId: string
  readonly prompt: string
  readonly jobId: string
}

export type State = ReturnType<typeof createState>

export function createState(
  options: DocsServiceOptions,
  events: Listeners<DocsEvent>,
  origin: () => string,
) {
  const { projects, repositoriesUrl, now = Date.now, ...changes } = options
  return {
    now,
    projects: new Map(projects.map((entry) => [entry.id, project(entry)])),
    jobs: new JobBook({
      origin: () => repositoriesUrl ?? origin(),
      now,
      onChange: (job) => events.emit({ type: "job", job }),
    }),
    faults: createFaultBoard<Fault, Target>(isMeantFor),
    creations: [] as Creation[],
    /** Times of the requests of each rolling hour, in epoch ms. */
    uses: new Map<string, number[]>(),
    visitors: new Visitors(),
    settings: changed(defaultSettings, changes),
  }
}
