import type { DocsFaults } from "./faults.ts"
import type { JobBook } from "./job-book.ts"
import type { Project } from "./project.ts"
import type { Settings } from "./settings.ts"
import type { Visitors } from "./visitors/data-set.ts"

/** Creation that took effect, even if its response was then lost. */
interface Creation {
  /** Time in epoch ms, by the service's clock. */
  readonly at: number
  readonly projectId: string
  readonly prompt: string
  readonly jobId: string
}

export interface State {
  readonly projects: ReadonlyMap<string, Project>
  readonly now: () => number
  readonly jobs: JobBook
  readonly faults: DocsFaults
  readonly creations: Creation[]
  /** Times of the requests of each rolling hour, in epoch ms. */
  readonly uses: Map<string, number[]>
  readonly visitors: Visitors
  settings: Settings
}
