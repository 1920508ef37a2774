import type { Job, QueuePlace } from "./job.ts"
import type { Prompt } from "./ports.ts"
import type { KeyFault } from "./service-ports.ts"

/** Why a project starts nothing for now. Where the key is refused, until somebody sees to it. */
export type PauseReason = "rate_limited" | "outage" | KeyFault

/** Why a waiting job does not start: a pause, or Redis waiting to hear what the hour has spent. */
export type WaitReason = PauseReason | "catching_up"

export interface Pause {
  reason: PauseReason
  since: number
  /** Absent: until the key is taken again, there is another, or somebody resumes it. */
  until?: number
}

/** A grant to create one job: the slot is taken. */
export interface Grant {
  job: Job
  prompt: Prompt
  /** The queue whose rolling hour the slot counts in; see `queues.ts`. */
  queue: string
}

/** What came of a creation. */
export type CreationOutcome =
  | {
      kind: "created"
      agentJobId: string
      prLink?: string | undefined
      /** The service said that its job is active again after the message. */
      isReactivated?: boolean
    }
  /**
   * It certainly had no effect: wait again, in front. With a reason the project pauses. `cause`, here and
   * below: the error behind it, for the log.
   */
  | {
      kind: "put_back"
      reason?: PauseReason
      pauseMs?: number | undefined
      cause?: unknown
    }
  /** A message that cannot be sent, and had no effect: it waits for a job of its own. */
  | { kind: "needs_job" }
  | { kind: "refused"; detail: string; cause?: unknown }
  | { kind: "unknown"; detail: string; cause?: unknown }

/**
 * The rolling hour. `next` takes a slot and a job, runs the creation, and writes down what came of
 * it; the limiter is inside and callers do not see it.
 */
export interface CreationSlots {
  /** "ran", or how long nothing can start, ms. */
  next(
    queue: string,
    create: (grant: Grant) => Promise<CreationOutcome>,
  ): Promise<"ran" | { waitMs: number }>
  /** Ends creations whose process died: their outcome is unknown. Returns how many. */
  sweep(queue: string): Promise<number>
}

/** One queue as facts, for places, start times and the hour's quota. */
export interface QueueFacts {
  now: number
  /** Creations of the rolling hour, oldest first: when, and by whom. */
  log: { at: number; user: string }[]
  /** Waiting jobs in the order they start. */
  waiting: { id: string; user: string }[]
  /** Creations in flight. */
  creating: number
  pause: Pause | undefined
  /** Redis may have forgotten something and grants nothing before, ms; absent where that is over. */
  opensAt?: number
}

export interface QueueStore {
  /** Queues with something waiting or being created. */
  busy(): Promise<string[]>
  facts(queue: string): Promise<QueueFacts>
  pause(queue: string): Promise<Pause | undefined>
  /** Starts both queues of a project again after a pause. True if one was paused. */
  resume(project: string): Promise<boolean>
  /** Marks jobs whose card should be written again. */
  touch(ids: readonly string[]): Promise<void>
  /** What the cards of a queue's waiting jobs show; those without a card are left out. */
  shown(queue: string): Promise<Map<string, Partial<QueuePlace>>>
  /** True for one caller among all processes for `ms`. */
  once(task: string, ms: number): Promise<boolean>
  /** Lets the next caller of `once` have it: the task was not done after all. */
  undo(task: string): Promise<void>
}

/** Which projects are configured, over all processes. */
export interface ProjectRegister {
  /**
   * Says that ours are. `abandoned`: projects with something waiting that nobody has had configured for
   * a while; `strays`: queues under other names of ours, which are taken over.
   */
  keep(): Promise<{ abandoned: string[]; strays: string[] }>
  isAbandoned(project: string): Promise<boolean>
  /** Ids of the first that wait. */
  waiting(project: string): Promise<string[]>
}
