import type { FileFacts } from "../ports/files.ts"
import type { UnreadFile } from "./attached.ts"
import type { Job } from "./job.ts"

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

type Perhaps<T> = { [K in keyof T]?: T[K] | undefined }
type AskedPerhaps =
  | ("thread" | "asked" | "first" | "previous" | "follows")
  | ("prLink" | "hadPull" | "isRetry" | "quiet")
/** Of a job, what is known when it is asked for. */
type Asked = Pick<Job, "project" | "team" | "channel" | "user"> & Perhaps<Pick<Job, AskedPerhaps>>

/** A request as a Slack entry hands it in. */
export interface NewJob extends Asked {
  /** The channel's name, where Slack said it. */
  channelName?: string | undefined
  prompt: Prompt
  /** Identifies what Slack sent: the same command, message or form never spends twice. */
  idempotencyKey: string
  /** Id of the deferred payload that it came in: nothing is kept once that is gone. */
  deferred?: string | undefined
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

/** Jobs, as people see them and act upon them. */
export interface JobStore {
  /** Durable when it resolves. Idempotent by `idempotencyKey`. @throws PayloadForgotten */
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
  pollNow(job: Job): Promise<"now" | "recent" | "not_active">
  /**
   * Keeps a request until its person confirms it; half an hour. One that asks the same in the same place
   * is kept once. Returns an opaque id. @throws PayloadForgotten
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
