import { HOUR_MS } from "../lib/time.ts"
import type { FairQueue } from "../store/commit.ts"
import { key } from "../store/redis-keys.ts"
import type { Job } from "./job.ts"
import { isUpdate } from "./rounds.ts"

/**
 * Kinds of work that a job can be scheduled for, each a loop of the worker. `pulls` are first looks
 * at a pull request, after a link or follow-up; `watch` are all later ones.
 */
export const kinds = [
  "outbox",
  "polls",
  "pulls",
  "watch",
  "sessions",
  "reminders",
  "results",
] as const
export type Kind = (typeof kinds)[number]

export const jobKeys = {
  record: (id: string) => key("job", id),
  /** Text of a request; its attached files are apart, because they are long and go earlier. */
  words: (ask: string) => key("words", ask),
  files: (ask: string) => key("files", ask),
  /** Jobs of a person, by the time of the request. */
  ofUser: (user: string) => key("user", user),
  /** A person's cancelled jobs whose text is kept, by when they ended. */
  cancelledOf: (user: string) => key("own", user, "cancelled"),
  /** Jobs of a thread, by the time of the request. */
  inThread: (channel: string, root: string) => key("thread", channel, root),
  /** Job begun last in a thread, for a minute: of two at the same time, one joins the other. */
  newest: (project: string, channel: string, root: string) => key("newest", project, channel, root),
  /** Jobs due for one kind of work, by due time or end of the lease. */
  schedule: (kind: Kind) => key(kind),
  /** Job of a request, by delivery: `message:<channel>:<ts>` or `command:<trigger_id>`, say. */
  seen: (delivery: string) => key("seen", delivery),
  /** A person's latest request with this text and these files, as `<job> <request>`. */
  same: (hash: string) => key("same", hash),
  /** `response_url` of the command with the request, kept while Slack accepts it. */
  reply: (id: string) => key("reply", id),
}

/**
 * Suffix of a project's second queue. Each project has two, with a rolling hour, fair order and
 * pause each: one for jobs to create, named by the project's key, and one for messages to its jobs,
 * which the service counts separately.
 */
const MESSAGES = ":messages"

export function messagesOf(project: string): string {
  return `${project}${MESSAGES}`
}

export function queueOf(job: Pick<Job, "project" | "rounds">): string {
  return isUpdate(job) ? messagesOf(job.project) : job.project
}

export function isMessages(queue: string): boolean {
  return queue.endsWith(MESSAGES)
}

export function projectOf(queue: string): string {
  return isMessages(queue) ? queue.slice(0, -MESSAGES.length) : queue
}

export function queuesOf(projects: readonly string[]): string[] {
  return projects.flatMap((project) => [project, messagesOf(project)])
}

export function queueKeys(queue: string) {
  const of = (what: string) => key("queue", queue, what)
  return {
    /** Queued jobs in fair order. */
    wait: of("wait"),
    /** Tags started last: see `store/fair-order.ts`. */
    last: of("last"),
    /** Rolling-hour log: one slot per attempt, by its latest possible arrival at the service. */
    log: of("log"),
    /** Attempts in flight, by deadline. */
    creating: of("creating"),
    pause: of("pause"),
    waitingPrefix: key("queue", queue, "waiting", ""),
    /** One person's queued jobs in fair order. */
    waiting: (user: string) => key("queue", queue, "waiting", user),
  }
}

/** Returns the UTC month of a time in ms, such as `2026-11`. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7)
}

/** Number of requests by which an admin's click extends a month; the texts about it name it, too. */
export const ALLOWED_MORE = 10

/** Returns the keys of a project's calendar month (UTC), such as `2026-11`. */
export function monthKeys(project: string, month: string) {
  return {
    /** Slots of what was sent in the month, creations and messages together. */
    sent: key("queue", project, "month", month),
    /** Clicks with which admins allowed more than `JOBS_PER_MONTH`, each once. */
    extra: key("queue", project, "extra", month),
  }
}

/** Returns the keys of the months in which an attempt in flight may have been counted. */
export function monthsOf(queue: string, now: number): string[] {
  const months = [now, now - HOUR_MS].map(monthOf)
  return [...new Set(months)].map((month) => monthKeys(projectOf(queue), month).sent)
}

/** Returns an attempt's slot, `<job>:<grant> <user>`; it counts as `turnOf`'s. */
export function slotOf({ id, grant = "", turnOf }: Pick<Job, "id" | "grant" | "turnOf">): string {
  return `${id}:${grant} ${turnOf}`
}

export function fairQueueOf(queue: string, user: string): FairQueue {
  const { wait, last, creating, waiting } = queueKeys(queue)
  return { wait, waiting: waiting(user), last, creating }
}

/** Queues with queued jobs or attempts in flight. Workers check no others. */
export const BUSY = key("busy")
/** Key of the time from which Redis grants slots, and its `run_id`: see `store/grant-slot.ts`. */
export const EPOCH = key("epoch")
export const grantKey = (token: string) => key("grant", token)
/** Returns the name of a queue's dispatch loop; as a wake-up message it starts a pass. */
export const dispatchOf = (queue: string) => `dispatch:${queue}`
/** Wake-up message about a pause that begins or ends, or a `DOCS_JOB_PATH` that seems wrong. */
export const TROUBLES = "troubles"
