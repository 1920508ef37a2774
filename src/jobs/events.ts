import type { DocsFault } from "../errors/docs-error.ts"
import type { Job } from "./job.ts"
import type { Changed } from "./job-store.ts"
import type { CreationOutcome, KeyFault } from "./limit/outcome.ts"
import type { NewRequest, Submitted } from "./submit.ts"

export interface JobEvents {
  asked: (request: NewRequest, answer: Submitted) => void
  changed: (changed: Changed) => void
  created: (job: Job, outcome: CreationOutcome) => void
  lost: (queue: string, count: number) => void
  notKept: (error: unknown) => void
  polled: (job: Job, result: "ok" | DocsFault) => void
  /** Reports unexpected errors. @param failures in a row, including this one */
  pollFailed: (job: Job, error: unknown) => void
  deliveryFailed: (job: Job, error: unknown, failures: number) => void
  /** Reports that the service refuses polls with the project's key, and that it accepts them again. */
  paused: (project: string, reason: KeyFault) => void
  resumed: (project: string) => void
}
