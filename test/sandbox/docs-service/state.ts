import type { FaultBoard } from "./fault-board.ts"
import type { JobBook } from "./job-book.ts"
import type { Project } from "./project.ts"
import type { RollingWindows } from "./rolling-window.ts"
import type { Settings } from "./settings.ts"
import type { Visitors } from "./visitors/visitors.ts"

/** One creation that took effect, also where its answer was lost afterwards. */
export interface Creation {
  /** Epoch ms of the service's clock. */
  readonly at: number
  readonly projectId: string
  readonly prompt: string
  readonly jobId: string
}

/** What the routes work on. */
export interface State {
  readonly projects: ReadonlyMap<string, Project>
  readonly basePath: string
  readonly now: () => number
  readonly jobs: JobBook
  readonly faults: FaultBoard
  readonly creations: Creation[]
  readonly creationWindows: RollingWindows
  readonly visitorWindows: RollingWindows
  readonly visitors: Visitors
  settings: Settings
}
