import type { DocsFault } from "../docs-service/docs-error.ts"
import type { OnBroken } from "../store/records.ts"
import type { Changed } from "./change.ts"
import type { CreationOutcome, KeyFault } from "./creation-outcome.ts"
import type { Job } from "./job.ts"
import type { Kind } from "./job-keys.ts"
import type { NewRequest, Submitted } from "./request-types.ts"

/** Events about jobs, which `operating/metrics/count-jobs.ts` reports to the log and the metrics. */
export interface JobEvents {
  asked: (request: NewRequest, answer: Submitted) => void
  changed: (changed: Changed) => void
  /** Reports a record in Redis that does not parse. */
  unreadable: OnBroken
  created: (job: Job, outcome: CreationOutcome) => void
  /** Reports creations whose process died. */
  lost: (queue: string, count: number) => void
  /** Reports that `DATA_DIR` is not writable. */
  notKept: (error: unknown) => void
  polled: (job: Job, result: "ok" | DocsFault) => void
  /** Reports an unexpected error of one kind of work on a job. */
  stepFailed: (kind: Kind, job: Job, error: unknown) => void
  /** Reports an unexpected error. @param failures in a row, including this one */
  deliveryFailed: (job: Job, error: unknown, failures: number) => void
  /** Reports that the service refuses to read jobs with the project's key. */
  paused: (project: string, reason: KeyFault) => void
  /** Reports that the service accepts the key again. */
  resumed: (project: string) => void
}
