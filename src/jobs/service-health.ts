import { DocsError } from "../errors/docs-error.ts"
import type { Followed } from "./job.ts"
import type { ProjectRegister } from "./queue-ports.ts"
import type { KeyFault, ServiceHealth } from "./service-ports.ts"

/** So many polls in a row are refused before the project pauses: one alone may be about one job. */
const REFUSALS_TO_PAUSE = 2
/** A job is gone when it was not found this often in a row: once was seen right after a creation. */
const MISSES_TO_GONE = 2

export function isKeyFault(fault: DocsError["fault"]): fault is KeyFault {
  return fault === "key_refused" || fault === "forbidden"
}

/** What a process learns from its polls about the service, beyond the job that was asked about. */
export interface PollLessons {
  /** Learns from one answer. @returns whether a job that is not found any more counts as gone */
  heed(job: Followed, answer: object): Promise<boolean>
}

/**
 * What polls show of the service: that it refuses the key, also while nothing is created; and,
 * where no job was ever found, that `DOCS_JOB_PATH` is wrong rather than that each job is gone.
 */
export function createPollLessons(
  health: ServiceHealth,
  register: Pick<ProjectRegister, "isAbandoned">,
): PollLessons {
  const refusals = new Map<string, number>()
  const found = new Set<string>()

  async function refused(project: string, reason: KeyFault): Promise<void> {
    const count = (refusals.get(project) ?? 0) + 1
    refusals.set(project, count)
    if (count >= REFUSALS_TO_PAUSE) await health.keyRefused(project, reason, "poll")
  }

  async function isGone({ project, misses }: Followed): Promise<boolean> {
    if (misses + 1 < MISSES_TO_GONE) return false
    return found.has(project) || (await health.jobMissed(project)) === 0
  }

  return {
    async heed(job, answer) {
      const { project } = job
      if (answer instanceof DocsError) {
        if (isKeyFault(answer.fault)) await refused(project, answer.fault)
        if (answer.fault === "not_configured") return register.isAbandoned(project)
        if (answer.fault !== "not_found") return false
        refusals.delete(project)
        return isGone(job)
      }
      refusals.delete(project)
      if (!found.has(project)) await health.jobFound(project)
      found.add(project)
      return false
    },
  }
}
