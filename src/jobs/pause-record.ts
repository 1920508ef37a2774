import { z } from "zod"
import { numberField } from "../store/record-fields.ts"

/** Reasons why a queue starts nothing; `rate_limited` and `outage` end on their own. */
export const pauseReasons = [
  "rate_limited",
  "outage",
  "restored",
  "key_refused",
  "forbidden",
  /** The settings no longer have the project: found when the queue's health is read, never kept in it. */
  "removed",
  /** `JOBS_PER_MONTH` is used up: counted whenever it is asked, never kept in the queue's health. */
  "month_full",
] as const

export type PauseReason = (typeof pauseReasons)[number]

export type KeyFault = Extract<PauseReason, "key_refused" | "forbidden">

/** Returns whether the service refuses the key until somebody fixes it. */
export function isKeyFault(reason: string | undefined): reason is KeyFault {
  return reason === "key_refused" || reason === "forbidden"
}

export const healthShape = z.object({
  /** Number of changes so far, by which a grant knows whether it saw the latest. */
  rev: z.string().optional(),
  reason: z.enum(pauseReasons).optional(),
  since: numberField.optional(),
  /** Time of the restored backup; absent if nobody knows. */
  backupAt: numberField.optional(),
  /**
   * End of the pause. `ever`: an admin or another key than `key` ends it; `read`: an accepted read
   * does so, too, because the service also refuses reads.
   */
  until: z.union([z.literal(["ever", "read"]), numberField]).optional(),
  tries: numberField.default(0),
  /** Fingerprint of the key that the service refused; kept while another one is accepted. */
  key: z.string().optional(),
})

/** Standing of a queue with the service. Without a `reason` the queue is not paused. */
export type Health = z.infer<typeof healthShape>

/** Health of each queue by its name, as Redis keeps it. */
export interface HealthStore {
  read: (queue: string) => Promise<Health>
  /** Reads, decides and writes. Resolves to whether `decide` returned a change. */
  change: (
    queue: string,
    decide: (health: Health, now: number) => Partial<Health> | undefined,
  ) => Promise<boolean>
}
