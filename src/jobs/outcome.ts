/** The service refuses the key: 401, or 403. */
export type KeyFault = "key_refused" | "forbidden"

/**
 * Reasons why a project starts nothing for now. Until somebody sees to it where the key is refused, or where
 * Redis was restored from a backup.
 */
export type PauseReason = "rate_limited" | "outage" | "restored" | KeyFault

/** Reasons why a waiting job does not start: a pause, or Redis waiting to hear what the hour has spent. */
export type WaitReason = PauseReason | "catching_up"

/** The outcome of one creation or message. `cause`: the error behind it, for the log. */
export type CreationOutcome =
  | {
      kind: "created"
      agentJobId: string
      prLink?: string | undefined
      /** The service said that its job is active again after the message. */
      isReactivated?: boolean
    }
  /** Certainly without effect: it waits again, in front. With a reason the project pauses. */
  | { kind: "put_back"; reason?: PauseReason; pauseMs?: number | undefined; cause?: unknown }
  /** A message that cannot be sent, and had no effect: its requests become a job of their own. */
  | { kind: "needs_job" }
  /** No asker of the request may ask any more. */
  | { kind: "not_allowed" }
  | { kind: "refused"; detail: string; cause?: unknown }
  | { kind: "unknown"; detail: string; cause?: unknown }

/** Tells whether certainly nothing was created or sent. */
export function hadNoEffect({ kind }: CreationOutcome): boolean {
  return kind !== "created" && kind !== "unknown"
}
