/**
 * What somebody asked the docs agent for, from the moment it is durable to its last word.
 *
 * queued → creating → active → ended, and from each of the first three straight to ended. An ended
 * job may turn active again ("Check again" after it was lost, a follow-up message).
 */
type JobState = "queued" | "creating" | "active" | "ended"

/** Why a job ended. Each reads differently to people; see `views/endings.ts`. */
export const endings = [
  "pull_request",
  "no_pull_request",
  "failed",
  "archived",
  /** Still active at the service when `JOB_TIMEOUT_MINUTES` had passed. */
  "lost",
  /** The service said 404 twice. */
  "gone",
  /** The creation was sent and its outcome never learned: it is not repeated by itself. */
  "unknown",
  /** The service refused the creation for good (a 400, say). */
  "refused",
  "cancelled",
  "unfollowed",
  /** The bot may not post where it was asked: no job was spent. */
  "no_card",
] as const
export type Ending = (typeof endings)[number]

/** What people do with a pull request, as far as the bot shows it. */
export const pullStates = [
  "draft",
  "open",
  "approved",
  "changes_requested",
  "merged",
  "closed",
] as const
export type PullState = (typeof pullStates)[number]

export const previewStates = [
  "asked",
  /** Written before the request is sent, so a job found in this state later has an unknown outcome. */
  "sending",
  "building",
  "ready",
  "failed",
  "unknown",
] as const

export interface Job {
  id: string
  state: JobState
  /** Grows by one with every change that people should see; the card shows the latest. */
  rev: number
  /** Name of the project, as configured. */
  project: string
  team: string
  channel: string
  /** Slack id of the requester. */
  user: string
  /** The thread the job was asked in; absent when it was asked in the channel itself. */
  thread?: string
  /** When it was accepted, ms. */
  askedAt: number
  /** Place in the fair order; lower starts first. */
  tag: number
  /** Besides the card, only the closing reply is posted. The card is edited as usual, as edits notify nobody. */
  quiet: boolean
  /** Timestamp of the message that asked, when one did: the next follow-up reads on from there. */
  asked?: string
  /** The first job of a chain of follow-ups. */
  first?: string
  /** The job before it in that chain. */
  previous?: string
  /** The service's job that this one continues with a message, instead of creating one. */
  follows?: string
  /** That job already had a pull request, so the thread has already said what can be done with it. */
  hadPull?: true
  /** Runs an earlier job again, so its card is not right below the message that asked. */
  isRetry?: true
  /** The service said that its job is active again after the message. */
  isReactivated?: boolean
  /** A line for the card about how it was asked, such as that earlier messages could not be read. */
  note?: string
  /** The service's id, once created. */
  agentJobId?: string
  /** When the service's job was created, or last re-opened, ms. */
  startedAt?: number
  prLink?: string
  /** Consecutive 404 answers. */
  misses: number
  ending?: Ending
  endedAt?: number
  /** What the service said when it refused, shortened and free of secrets. */
  detail?: string
  /** Message timestamp of the card. */
  card?: string
  /** What the card shows: `rev`, and for a waiting job the place, start and pause last written. */
  shown: { rev: number } & Partial<QueuePlace>
  /** Message timestamp of the closing reply of this round. */
  closing?: string
  /** The branch that the agent works on, where the service said it. */
  branch?: string
  /** The preview of that branch that somebody asked for. */
  preview?: Preview
  /** The record of its pull request, where that is followed, and what people did with it. */
  pull?: string
  pullState?: PullState
  /** Login of who merged it. */
  pullBy?: string
  /** How often the pull request or preview changed after the closing reply, and how many changes that shows. */
  later: { rev: number; shown: number }
  /** A reminder is to be posted, or its message timestamp. */
  reminder?: string
  /** 1, and one more each time an ended job turns active again. Each round has one closing reply. */
  round: number
  /** The round whose ending the audit knows; 0 where it knows only that the job was asked for. */
  audited?: number
  /** Attempts to write to Slack whose outcome is not known; above 0 a post is looked up first. */
  unsure: number
  /** Attempts in a row that ended in an unexpected error. */
  failures: number
  /** Its requester asked to be forgotten: nothing is kept of what it says. */
  isForgotten?: boolean
}

/** One build of a branch, from the click to its end. */
export interface Preview {
  state: (typeof previewStates)[number]
  /** Who clicked. */
  by: string
  /** When, ms. */
  at: number
  statusId?: string | undefined
  url?: string | undefined
  files?: { added: number; modified: number; removed: number } | undefined
  summary?: string | undefined
  /** Asked for, and told to wait for its turn. */
  isInLine?: boolean | undefined
}

/** What a poll needs of a job. */
export type Followed = Pick<
  Job,
  "id" | "project" | "agentJobId" | "startedAt" | "prLink" | "misses" | "follows" | "isReactivated"
>

/** Stored instead of a closing reply's or a reminder's timestamp if it was not posted in its thread. */
export const ELSEWHERE = "elsewhere"

/** Is the closing reply of this round in the thread? */
export function isReplied({ closing }: Pick<Job, "closing">): boolean {
  return closing !== undefined && closing !== ELSEWHERE
}

/** Is the pull request finished? Only a closed one that is reopened changes again. */
export function isOver(state: PullState | undefined): state is "merged" | "closed" {
  return state === "merged" || state === "closed"
}

/** The detail of a job whose project is no longer configured anywhere. */
export const NOT_CONFIGURED = "the project is no longer configured"

/** What one poll found. */
export interface Observation {
  ending?: Ending
  /** More about the ending. */
  detail?: string
  branch?: string | undefined
  prLink?: string | undefined
  /** The service's job was seen to be active again after the message. */
  isReactivated?: boolean
  misses: number
  /** Until the next poll, when there is no ending. */
  waitMs: number
}

/** Where a waiting job stands. */
export interface QueuePlace {
  /** 1 starts next. */
  place: number
  /** Earliest start, ms; may move when others ask. Absent while a pause has no end. */
  startsAt?: number
  /** The start may be on another day in the reader's time zone. */
  isFar?: true
  /** The hour has room: the job starts as soon as those before it have started. */
  soon: boolean
  /** Why nothing is started at the moment, one of `WaitReason`; "" when nothing holds it up. */
  paused: string
  /** When the service is asked again after a pause, ms; absent where nobody knows. */
  triedAt?: number
}

/** Can the service's job of an ended one take a message? Not where it is gone, or refused the last. */
export function takesMessages({ ending }: Pick<Job, "ending">): boolean {
  return ending !== undefined && !PAST_MESSAGES.has(ending)
}

const PAST_MESSAGES: ReadonlySet<Ending> = new Set(["archived", "gone", "refused"])

/** Where a follow-up, a retry or a second look needs a thread's root. */
export function threadOf(job: Job): string | undefined {
  return job.thread ?? job.card
}

export function isEnded(job: Job): job is Job & { ending: Ending } {
  return job.state === "ended"
}
