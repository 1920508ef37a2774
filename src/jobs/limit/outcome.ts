export type KeyFault = "key_refused" | "forbidden"

/** Reasons why a project starts nothing for now. A refused key and restored data pause it until somebody acts. */
export type PauseReason = "rate_limited" | "outage" | "restored" | KeyFault

/** A pause, or a Redis that waits for the processes' reports about the hour. */
export type WaitReason = PauseReason | "catching_up"

/** The outcome of one creation or message. `cause` is the underlying error, for the log. */
export type CreationOutcome =
  | {
      kind: "created"
      agentJobId: string
      prLink?: string | undefined
      /** The service said that its job is active again after the message. */
      isReactivated?: boolean
    }
  /** The creation certainly had no effect: the job waits at the front again. A `reason` pauses the project. */
  | { kind: "put_back"; reason?: PauseReason; pauseMs?: number | undefined; cause?: unknown }
  /** The message cannot be sent and had no effect, so its requests become a new job. */
  | { kind: "needs_job" }
  | { kind: "not_allowed" }
  | { kind: "refused"; detail: string; cause?: unknown }
  | { kind: "unknown"; detail: string; cause?: unknown }

export function hadNoEffect({ kind }: CreationOutcome): boolean {
  return kind !== "created" && kind !== "unknown"
}
