import type { Line } from "../store/commit.ts"
import { key } from "../store/keys.ts"
import type { Kind } from "./transitions.ts"

export const jobKeys = {
  record: (id: string) => key("job", id),
  words: (id: string) => key("words", id),
  /** A person's jobs; score = when asked, ms. */
  ofUser: (user: string) => key("user", user),
  /** Jobs of a thread; score = when asked, ms. */
  inThread: (channel: string, root: string) => key("thread", channel, root),
  /** The job that was requested last about something, by the print of that. */
  about: (project: string, print: string) => key("about", project, print),
  /** Jobs by kind of work; score = when due, or until when leased, ms. */
  schedule: (kind: Kind) => key(kind),
  /** One Slack delivery: trigger_id, event_id, or channel and ts. */
  seen: (delivery: string) => key("seen", delivery),
  /** One person's normalized prompt. */
  same: (print: string) => key("same", print),
  /** response_url of the command that asked, for as long as Slack honors it. */
  reply: (id: string) => key("reply", id),
}

/** The keys of one queue; its name is the key of a project, or that of its messages. */
export function queueKeys(queue: string) {
  const of = (what: string) => key("queue", queue, what)
  return {
    /** Waiting jobs; score = fair tag. */
    wait: of("wait"),
    /** Fair tags that were started: see `store/fair-order.ts`. */
    last: of("last"),
    /** Creations of the rolling hour; member = `job user`, score = latest moment it can have arrived, ms. */
    log: of("log"),
    /** Creations in hand; score = deadline, ms. */
    creating: of("creating"),
    /** Reason and length of a pause: see `pause.ts`. */
    pause: of("pause"),
    /** Prefix of the keys below. */
    waitingPrefix: key("queue", queue, "waiting", ""),
    /** One person's waiting jobs; score = fair tag. */
    waiting: (user: string) => key("queue", queue, "waiting", user),
  }
}

/** A creation in the hour's log: each round of a job is one, in the name of the person whose turn it is. */
export function slotOf({ id, round, turnOf }: Record<"id" | "turnOf", string> & { round: number }) {
  return `${id}:${round} ${turnOf}`
}

export function lineOf(queue: string, user: string): Line {
  const { wait, last, creating, waiting } = queueKeys(queue)
  return { wait, waiting: waiting(user), last, creating }
}

/** Queues with something waiting or being created; a worker looks at no others. */
export const BUSY = key("busy")
/** The moment from which creations may be granted, and by which run of the server; see `store/reserve.ts`. */
export const EPOCH = key("epoch")
/** The grant of the last reserve call with this token. */
export const grantKey = (token: string) => key("grant", token)
