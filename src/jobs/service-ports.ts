/** The service refuses the key: 401, or 403. */
export type KeyFault = "key_refused" | "forbidden"

/** Operations that not every deployment of the service offers. */
export type OptionalOperation = "message" | "preview"

/** Which of them a deployment offers, as far as the bot has tried them; remembered for a day. */
export interface OptionalOperations {
  presence(project: string, operation: OptionalOperation): Promise<"present" | "absent" | undefined>
  learned(
    project: string,
    operation: OptionalOperation,
    presence: "present" | "absent",
  ): Promise<void>
}

/** Whether the service accepts the bot's keys and finds its jobs, as learned by all processes. */
export interface ServiceHealth {
  /**
   * A read was refused with our key. By a poll, the project pauses; a probe only notes that reads are
   * refused too. True if it pauses now.
   */
  keyRefused(project: string, reason: KeyFault, by: "poll" | "probe"): Promise<boolean>
  /** A read was accepted with our key. True if that ends a pause. */
  keyAccepted(project: string): Promise<boolean>
  /** True for one process with our key in every `everyMs`. */
  mayProbe(project: string, everyMs: number): Promise<boolean>
  jobFound(project: string): Promise<void>
  /** A job was not found: how often in a row, or 0 where one ever was found. */
  jobMissed(project: string): Promise<number>
  /** Present while jobs are missed, several times in a row, where none was ever found. `since`: ms */
  jobPath(project: string): Promise<{ since: number } | undefined>
}
