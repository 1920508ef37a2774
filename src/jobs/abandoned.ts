import { RESTS } from "../config/timing.ts"
import { NOT_CONFIGURED } from "./job.ts"
import type { JobStore } from "./ports.ts"
import type { CreationSlots, ProjectRegister, QueueStore } from "./queue-ports.ts"
import { queuesOf } from "./queues.ts"

/** The log is told of each so often, ms. */
const TOLD_MS = 86_400_000

interface AbandonedDeps {
  register: ProjectRegister
  jobs: Pick<JobStore, "get" | "endQueued">
  slots: Pick<CreationSlots, "sweep">
  queue: Pick<QueueStore, "once">
  onAbandoned: (project: string) => void
}

/**
 * One pass: says which projects this process has, and ends what waits for one that is configured no longer.
 * Its running jobs end with their next poll. Returns how long to rest, ms.
 */
export async function abandonedPass(deps: AbandonedDeps): Promise<number> {
  const { abandoned, strays } = await deps.register.keep()
  for (const queue of [...queuesOf(abandoned), ...strays]) await deps.slots.sweep(queue)
  for (const project of abandoned) {
    if (await deps.queue.once(`abandoned:${project}`, TOLD_MS)) deps.onAbandoned(project)
    for (const id of await deps.register.waiting(project)) {
      const job = await deps.jobs.get(id)
      if (job) await deps.jobs.endQueued(job, "refused", NOT_CONFIGURED)
    }
  }
  return RESTS.projects
}
