import type { DocsFault } from "../docs-service/docs-error.ts"
/** Reasons why a queue starts nothing; `rate_limited` and `outage` end on their own. */
export const pauseReasons = [
  "rate_limited",
  "outage",
  "restored",
  "key_refused",
  "forbidden",
  /** The settings no longer have the project; no record holds this reason. */
  "removed",
  /** `JOBS_PER_MONTH` is used up; no record holds this reason. */
  "month_full",
] as const

export type PauseReason = (typeof pauseReasons)[number]

/** Reasons by what the service answered to a creation; no other answer pauses the queue. */
export const PAUSES: Partial<Record<DocsFault, PauseReason>> = {
  rate_limited: "rate_limited",
  key_refused: "key_refused",
  forbidden: "forbidden",
  unreachable: "outage",
}

export type KeyFault = Extract<PauseReason, "key_refused" | "forbidden">

/** Returns whether the service refuses the key until somebody fixes it. */
export function isKeyFault(reason: string | undefined): reason is KeyFault {
  return reason === "key_refused" || reason === "forbidden"
}
