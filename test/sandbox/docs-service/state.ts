import { FaultBoard } from "../kit/fault-board.ts"
import type { Listeners } from "../kit/listeners.ts"
import type { DocsEvent } from "./events.ts"
import { type Fault, type FaultTarget, isMeantFor } from "./faults.ts"
import { JobBook } from "./job-book.ts"
import { project } from "./project.ts"
import type { DocsServiceOptions } from "./service.ts"
import { changed, defaultSettings } from "./settings.ts"
import { Visitors } from "./visitors/data-set.ts"

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
    faults: new FaultBoard<Fault, FaultTarget>(isMeantFor),
    creations: [] as Creation[],
    /** Times of the requests of each rolling hour, in epoch ms. */
    uses: new Map<string, number[]>(),
    visitors: new Visitors(),
    settings: changed(defaultSettings, changes),
  }
}
