import type { FileFacts } from "../ports/files.ts"
import type { UnreadFile } from "./attached.ts"
import type { Followed, Job, Observation, QueuePlace } from "./job.ts"

/** The words of a job, kept apart from it: they are large, and forgotten earlier. */
export interface Prompt {
  /** What the person typed. */
  words: string
  /** Quoted talk that travels before the words. */
  context?: string
  /** What a new job has to be told of the work before it; a message to that work's job need not. */
  earlier?: string
  /** Who asked, and where, for deployments that want the agent to know. */
  origin?: string
  /** Thread messages still to be read into the context: after `from`, up to `until`. */
  talk?: { from?: string; until: string }
  /** What was attached to the request, still to be read into the context. */
  files?: readonly FileFacts[]
  /** Of what was attached, what the agent gets the name of only; for the requester to be told. */
  unread?: readonly UnreadFile[]
}

/** A request as a Slack entry hands it in. */
export interface NewJob {
  project: string
  team: string
  channel: string
  user: string
  thread?: string | undefined
  /** The channel's name, where Slack said it. */
  channelName?: string | undefined
  prompt: Prompt
  asked?: string | undefined
  first?: string | undefined
  /** The job before it in the same thread. */
  previous?: string | undefined
  /** The service's job that the words go to as a message. */
  follows?: string | undefined
  /** The pull request of that job. */
  prLink?: string | undefined
  hadPull?: true | undefined
  isRetry?: true
  quiet?: boolean
  /** Identifies what Slack sent: the same command, message or form never spends twice. */
  idempotencyKey: string
  /** What Slack calls it, where `idempotencyKey` is another name: for the log. */
  via?: string | undefined
  /** Where a private answer can go if the card cannot be posted. */
  replyUrl?: string | undefined
  /** The thread in which private answers are shown: one that has replies already. */
  replyThread?: string | undefined
  /** The person was asked about the earlier identical request and wants this one anyway. */
  anyway?: boolean
}

export type Accepted =
  | { outcome: "queued"; id: string }
  | { outcome: "duplicate"; id: string }
  | ({ outcome: "full" } & Full)

/** What is full: a person's queue, what is kept of their words, or the store of everybody. */
export type Full = { of: "waiting"; waiting: number } | { of: "too_much" | "no_room" }

/** Jobs as people see and steer them. */
export interface JobStore {
  /** Durable when it resolves. Idempotent by `idempotencyKey`. */
  enqueue(job: NewJob): Promise<Accepted>
  get(id: string): Promise<Job | undefined>
  prompt(id: string): Promise<Prompt | undefined>
  replyUrl(id: string): Promise<string | undefined>
  /** All that have not ended, then the last `ended` of the others; newest first within each. */
  ofUser(user: string, ended: number): Promise<Job[]>
  /** The latest job of a thread. */
  inThread(channel: string, root: string): Promise<Job | undefined>
  /** True if it still waited and is ended now. @param detail Slack's code where a card was refused */
  endQueued(
    job: Job,
    ending: "cancelled" | "no_card" | "refused",
    detail?: string,
  ): Promise<boolean>
  /** Puts a waiting job at the end of another project's queue; false when it no longer waits. */
  move(job: Job, project: string): Promise<boolean>
  /** The project that an admin chose for a channel. */
  projectOf(channel: string): Promise<string | undefined>
  useProject(channel: string, project: string): Promise<void>
  unfollow(job: Job): Promise<boolean>
  /** Follows an ended job again; false when it was re-opened already or was never created. */
  reopen(job: Job): Promise<boolean>
  hurry(job: Job): Promise<"now" | "recent" | "not_active">
  /**
   * Keeps a request until its person confirms it; half an hour. One that asks the same in the same place
   * is kept once. Returns an opaque id.
   */
  saveDraft(draft: Draft): Promise<string>
  /** It is carried out: the same question later is another one. */
  confirmDraft(draft: Draft): Promise<void>
  draft(id: string): Promise<Draft | undefined>
  setQuiet(channel: string, root: string): Promise<void>
  isQuiet(channel: string, root: string): Promise<boolean>
}

/** A request on its way: a modal being filled in, or a duplicate to be confirmed. */
export type Draft = Omit<NewJob, "idempotencyKey" | "anyway">

/** The service refuses the key: 401, or 403. */
export type KeyFault = "key_refused" | "forbidden"

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
  /** Whose hour the slot is of; see `queues.ts`. */
  queue: string
}

/** What came of a creation. */
export type CreationOutcome =
  | {
      kind: "created"
      agentJobId: string
      prLink?: string | undefined
      /** The service said that its job is active again after the message. */
      hasTurned?: boolean
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

/** What not every deployment of the service has. */
export type OptionalOperation = "message" | "preview"

/** Whether a deployment has them, as far as that was found out; remembered for a day. */
export interface OptionalOperations {
  presence(project: string, operation: OptionalOperation): Promise<"present" | "absent" | undefined>
  learned(
    project: string,
    operation: OptionalOperation,
    presence: "present" | "absent",
  ): Promise<void>
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
  /** What the cards of waiting jobs show; those without a card are left out. */
  shown(ids: readonly string[]): Promise<Map<string, Partial<QueuePlace>>>
  /** True for one caller among all processes for `ms`. */
  once(task: string, ms: number): Promise<boolean>
  /** Lets the next caller of `once` have it: the task was not done after all. */
  undo(task: string): Promise<void>
}

/** Whether the service takes the bot's keys and tells about its jobs, as every process learnt. */
export interface ServiceStanding {
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

export interface PollQueue {
  /** Jobs whose poll is due, leased to the caller. `now`: the moment of the claim, ms. */
  claim(limit: number): Promise<{ now: number; lease: string; jobs: Followed[] }>
  /** Nothing new: only the next poll is set. */
  reschedule(lease: string, next: readonly { id: string; waitMs: number }[]): Promise<void>
  /** False when the lease was lost: another worker has the job. */
  record(lease: string, job: Followed, found: Observation): Promise<boolean>
}

/** Something a job has to say in Slack. */
export interface OutboxEntry {
  lease: number
  job: Job
  prompt: Prompt | undefined
  /** A person did something about the job and waits to see it. */
  isAnswer: boolean
}

export interface DeliveryResult {
  /** The card shows this revision, and for a waiting job this place. */
  shown?: { rev: number } & Partial<QueuePlace>
  closing?: string
  /** The closing reply shows so many of the changes that came after it. */
  laterShown?: number
  /** Message timestamp of the reminder. */
  reminder?: string
  /** Is the outcome of every write known? `untried`: nothing was sent this time. */
  sure: boolean | "untried"
  /** Did the attempt end in an error that nobody expected? */
  failed?: boolean
  /** Come back after this many ms even if nothing changes. */
  againMs?: number
}

export interface Outbox {
  claim(limit: number): Promise<OutboxEntry[]>
  cardPosted(job: Job, ts: string): Promise<void>
  /**
   * The thread was read (or could not be): writes the prompt and the note for the card. False, and
   * nothing is written, when the job does not wait any more.
   */
  savePrompt(job: Job, prompt: Prompt, note: string | undefined): Promise<boolean>
  settle(entry: OutboxEntry, result: DeliveryResult): Promise<void>
  /**
   * Slack's limits over all processes: 0 when the turn is taken, else ms to wait. An `answer` is an edit
   * that a person waits for.
   */
  turn(kind: "post" | "edit" | "answer", channel: string): Promise<number>
}
