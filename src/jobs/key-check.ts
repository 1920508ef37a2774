import { RESTS } from "../config/timing.ts"
import { DocsError, orDocsError } from "../errors/docs-error.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { QueueStore } from "./queue-ports.ts"
import { isKeyFault } from "./service-health.ts"
import type { ServiceHealth } from "./service-ports.ts"

/** No job has this id: the answer to a key that is taken is 404. */
const NO_JOB = "key-check"

interface KeyCheckDeps {
  queue: Pick<QueueStore, "pause">
  health: ServiceHealth
  docs: Pick<DocsApi, "getJob">
  projects: readonly string[]
  /** Between two reads for one project and key, ms. */
  probeMs: number
  /** Called when a queue resumes by itself. */
  onAccepted: (project: string) => void
}

/**
 * One pass: asks whether the service takes the key again, for each project that waits for that. A read
 * costs nothing of the hour. @returns how long to rest, ms
 */
export async function keyCheckPass(deps: KeyCheckDeps): Promise<number> {
  let waits = false
  for (const project of deps.projects) {
    const pause = await deps.queue.pause(project)
    if (!pause || pause.until !== undefined) continue
    waits = true
    if (await deps.health.mayProbe(project, deps.probeMs)) await probe(deps, project)
  }
  return waits ? Math.min(RESTS.keyCheck, deps.probeMs) : UNTIL_WOKEN
}

async function probe({ health, docs, onAccepted }: KeyCheckDeps, project: string): Promise<void> {
  const answer = await docs.getJob(project, NO_JOB).catch(orDocsError)
  const fault = answer instanceof DocsError ? answer.fault : "not_found"
  if (isKeyFault(fault)) await health.keyRefused(project, fault, "probe")
  // Whatever else goes wrong says nothing about the key.
  else if (fault === "not_found" && (await health.keyAccepted(project))) onAccepted(project)
}
