import type { DocsFault } from "../errors/docs-error.ts"
import type { Job } from "./job.ts"
import type { Changed } from "./job-store.ts"
import type { CreationOutcome, KeyFault } from "./outcome.ts"
import type { NewRequest, Submitted } from "./submit.ts"

/** Reports what happens to jobs to the log and the metrics. */
export interface JobEvents {
  asked: (request: NewRequest, answer: Submitted) => void
  /** Each change that was written, once. */
  changed: (changed: Changed) => void
  created: (job: Job, outcome: CreationOutcome) => void
  /** A process died while it created so many. */
  lost: (queue: string, count: number) => void
  /** What was started could not be kept on disk. */
  notKept: (error: unknown) => void
  polled: (job: Job, result: "ok" | DocsFault) => void
  /** Unexpected errors. @param failures in a row, this one included */
  pollFailed: (job: Job, error: unknown) => void
  deliveryFailed: (job: Job, error: unknown, failures: number) => void
  /** Polls were refused with the project's key, and are accepted again. */
  paused: (project: string, reason: KeyFault) => void
  resumed: (project: string) => void
}
