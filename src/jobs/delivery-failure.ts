import { againAfter, SLACK_TRIES } from "../config/timing.ts"
import { ELSEWHERE, isEnded, type Job } from "./job.ts"
import type { JobStore } from "./ports.ts"
import type { DeliveryResult, OutboxEntry } from "./worker-ports.ts"

/** The detail of a job whose card could not be written for a reason of ours. */
export const BROKEN = "broken_here"

interface DeliveryFailureDeps {
  jobs: Pick<JobStore, "endQueued">
  onFailed: (job: Job, error: unknown, failures: number) => void
}

/**
 * What an error that nobody expected means for a delivery: it counts as a failure of the attempt, for
 * this job alone. It is tried again, ever later, and some day given up: a record that breaks a view does
 * so each time. A post may have gone out before, so it is looked up first.
 */
export async function afterFailure(
  { jobs, onFailed }: DeliveryFailureDeps,
  { job }: OutboxEntry,
  error: unknown,
): Promise<DeliveryResult> {
  const failures = job.failures + 1
  onFailed(job, error, failures)
  const againMs = againAfter(job.failures)
  if (failures <= SLACK_TRIES.mostFailures) return { sure: false, failed: true, againMs }
  // Without a card no job is spent; that it ended is told in private.
  if (job.card === undefined && (await jobs.endQueued(job, "no_card", BROKEN)))
    return { sure: true, againMs: 0 }
  const closing = isEnded(job) && job.closing === undefined ? { closing: ELSEWHERE } : {}
  return { sure: true, shown: { rev: job.rev }, ...closing }
}
