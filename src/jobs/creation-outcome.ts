import type { DocsError, DocsFault } from "../docs-service/docs-error.ts"

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

/** Outcome of one creation or message. `cause` is the underlying error, for the log. */
export type CreationOutcome =
  | {
      kind: "created"
      agentJobId: string
      prLink?: string | undefined
      isActiveAgain?: boolean
    }
  /** No effect: the job returns to its position; `reason` pauses the queue or the project. */
  | { kind: "put_back"; reason?: PauseReason; pauseMs?: number | undefined; cause?: unknown }
  /** No effect, as for the next three: the requests cannot go as a message. */
  | { kind: "needs_job" }
  /** The text was deleted, because its requesters asked to be forgotten. */
  | { kind: "no_text" }
  | { kind: "not_allowed" }
  | { kind: "refused"; detail: string; cause?: DocsError }
  | { kind: "unknown"; detail: string; cause?: unknown }

export function hadNoEffect({ kind }: CreationOutcome): boolean {
  return kind !== "created" && kind !== "unknown"
}

/** Reasons by what the service answered to a creation; no other answer pauses the queue. */
const PAUSES: Partial<Record<DocsFault, PauseReason>> = {
  rate_limited: "rate_limited",
  key_refused: "key_refused",
  forbidden: "forbidden",
  unreachable: "outage",
}

/**
 * Decides what a failed creation means. The bot repeats a creation only if it certainly had no
 * effect. The service has no idempotency key, so the bot reports every unknown outcome instead.
 * @param isAlone whether a 403 is about this request, not about the key
 */
export function outcomeOf(error: DocsError, isAlone = false): CreationOutcome {
  const reason = PAUSES[error.fault]
  if (reason && !isAlone)
    return { kind: "put_back", reason, pauseMs: error.retryAfterMs, cause: error }
  const refused = isAlone || error.fault === "bad_request" || error.fault === "not_found"
  return refused
    ? { kind: "refused", detail: error.detail ?? `HTTP ${error.status}`, cause: error }
    : { kind: "unknown", detail: error.detail ?? error.fault, cause: error }
}
