import type { Line } from "../store/commit.ts"
import { key } from "../store/keys.ts"
import type { Kind } from "./transitions.ts"

export const jobKeys = {
  record: (id: string) => key("job", id),
  words: (id: string) => key("words", id),
  /** A person's jobs; score = time of the request. */
  ofUser: (user: string) => key("user", user),
  /** The jobs of a thread; score = time of the request. */
  inThread: (channel: string, root: string) => key("thread", channel, root),
  /** The job requested last about a subject, by the subject's hash. */
  about: (project: string, hash: string) => key("about", project, hash),
  /** The jobs due for one kind of work; score = due time, or end of the lease. */
  schedule: (kind: Kind) => key(kind),
  /** The job of a request, by its delivery, such as `message:<channel>:<ts>` or `command:<trigger_id>`. */
  seen: (delivery: string) => key("seen", delivery),
  same: (hash: string) => key("same", hash),
  /** The response_url of the command with the request, kept while Slack accepts it. */
  reply: (id: string) => key("reply", id),
}

export function queueKeys(queue: string) {
  const of = (what: string) => key("queue", queue, what)
  return {
    /** Waiting jobs; score = fair tag. */
    wait: of("wait"),
    /** The tags started last: see `store/fair-order.ts`. */
    last: of("last"),
    /** The rolling-hour log: one slot per creation; its score = the latest possible arrival at the service. */
    log: of("log"),
    /** Creations in flight; score = deadline. */
    creating: of("creating"),
    pause: of("pause"),
    waitingPrefix: key("queue", queue, "waiting", ""),
    /** One person's waiting jobs; score = fair tag. */
    waiting: (user: string) => key("queue", queue, "waiting", user),
  }
}

/** Returns a creation's slot in the rolling-hour log, `<job>:<round> <user>`. The slot counts against `turnOf`. */
export function slotOf({ id, round, turnOf }: Record<"id" | "turnOf", string> & { round: number }) {
  return `${id}:${round} ${turnOf}`
}

export function lineOf(queue: string, user: string): Line {
  const { wait, last, creating, waiting } = queueKeys(queue)
  return { wait, waiting: waiting(user), last, creating }
}

/** The queues with waiting jobs or creations in flight. Workers check no others. */
export const BUSY = key("busy")
/** When Redis may grant creations, and the `run_id` of the server that set this: see `store/reserve.ts`. */
export const EPOCH = key("epoch")
export const grantKey = (token: string) => key("grant", token)
/** Names the loop that starts a queue's waiting jobs; as a wake-up message it says that a job may start. */
export const dispatchOf = (queue: string) => `dispatch:${queue}`
