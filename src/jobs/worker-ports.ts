import type { Message } from "../ports/message.ts"
import type { UnreadFile } from "./attached.ts"
import type { Ending, Followed, Job, Observation, QueuePlace } from "./job.ts"
import type { Prompt } from "./ports.ts"

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
  /** Did the attempt end in an unexpected error? */
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
  rateLimit(kind: "post" | "edit" | "answer", channel: string): Promise<number>
}

/** What messages about jobs say of the deployment. */
export interface Deployment {
  /** Every project, for a card to choose from. */
  projects: readonly string[]
  /** Where the operator's GitHub is: pull requests there are named without it. */
  gitHubHost: string
}

/** What to write about jobs. The views decide the words. */
export interface JobViews {
  card(
    job: Job,
    prompt: Prompt | undefined,
    place: QueuePlace | undefined,
    projects: Deployment["projects"],
    gitHubHost: string,
  ): Message
  closing(job: Job & { ending: Ending }, gitHubHost: string): Message
  reminder(job: Job, gitHubHost: string): Message
  cannotPost(job: Job, code: string): Message
  /** What the agent does not see of what was attached; never empty. */
  unreadFiles(files: readonly UnreadFile[]): Message
}
