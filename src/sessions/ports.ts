/** What Slack shows of a thread in its place for agents: at work with a Stop button, or at rest. */
type SessionStatus = "processing" | "active"

/** A thread, by its channel and first message. */
export interface Thread {
  channel: string
  root: string
}

/** A thread for which Slack does not show the true state, leased to the caller. */
export interface SessionEntry extends Thread {
  lease: string
  /** What is true, by the jobs of the thread. */
  wanted: SessionStatus
  /** What Slack shows, as far as it was told; absent: it may not know the thread yet. */
  shown?: SessionStatus
  /** The job that the session is called after. */
  first?: string
  /** Attempts in a row without a clear answer. */
  failures: number
}

/** What came of telling Slack. */
export type SessionResult =
  /** @property taken what Slack said; absent where it never will, and is not asked about the same again */
  | { shown: SessionStatus; taken: { hasStop: boolean } | undefined }
  | { againMs: number; failures?: number }

/**
 * What was found out about Slack's agent surface, for all processes: whether this app has it is a matter
 * of its declaration and of the workspace's plan, and Slack does not say so before it is used.
 */
export type SurfaceState =
  | { state: "unknown" }
  /**
   * @property since ms; when Slack last took something
   * @property hasStop is there a Stop button? Absent while that is not known
   */
  | { state: "on"; since: number; hasStop?: boolean }
  /** @property until ms; not one call before */
  | { state: "off"; code: string; since: number; until: number }

/** Whether the surface may be used, and what using it showed. */
export interface Surface {
  surfaceState(): Promise<SurfaceState>
  /**
   * While nobody knows, only one caller at a time may find out. It reports what it learnt, or
   * another may try after a while.
   */
  mayTry(): Promise<boolean>
  /** Slack took something. */
  accepted(): Promise<void>
  /** Slack does not offer it. True for the one caller that turns it off for a day. */
  refused(code: string): Promise<boolean>
}

/**
 * The threads of jobs as sessions: what Slack shows of them follows their jobs, also when a process
 * dies.
 */
export interface Sessions extends Surface {
  claim(): Promise<SessionEntry | undefined>
  settle(entry: SessionEntry, result: SessionResult): Promise<void>
  /** Slack's limit over all processes: 0 when the turn is taken, else ms to wait. */
  rateLimit(): Promise<number>
  /** Ids of the jobs that were not over when last looked at. */
  jobsIn(thread: Thread): Promise<string[]>
  /** Slack is told once more what is true, whatever it was told before. */
  showAgain(thread: Thread): Promise<void>
}

/** Who was greeted where people write to the agent: once, and for as long as they are not forgotten. */
export interface Greeted {
  /** False where they were before. */
  begin(user: string): Promise<boolean>
  /** They were not greeted after all. */
  undo(user: string): Promise<void>
}
