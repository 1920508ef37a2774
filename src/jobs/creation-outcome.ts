import type { DocsError } from "../docs-service/docs-error.ts"
import { PAUSES, type PauseReason } from "./pause-reasons.ts"

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
