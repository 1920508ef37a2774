import type { Ending, Job } from "./job.ts"
import type { Accepted, NewJob } from "./ports.ts"
import type { CreationOutcome } from "./queue-ports.ts"

type Known = Pick<Job, "id" | "project">

/** What an operator should know about jobs. The code that stores a change reports it, once. */
export interface JobEvents {
  /** A request came in. */
  asked(request: NewJob, answer: Accepted): void
  ended(job: Known, ending: Ending): void
  cardPosted(job: Known): void
  closingPosted(job: Known): void
  /** A creation or a message was begun, and this came of it. */
  created(job: Known & Pick<Job, "follows">, outcome: CreationOutcome): void
  /** Nobody knows whether these creations happened, as their process died. */
  lost(queue: string, count: number): void
}

/** Nobody looks. */
export const NO_EVENTS: JobEvents = {
  asked() {},
  ended() {},
  cardPosted() {},
  closingPosted() {},
  created() {},
  lost() {},
}
