import { createHash, randomBytes } from "node:crypto"
import type { Fields } from "../jobs/change.ts"
import type { JobsDeps } from "../jobs/deps.ts"
import { type Ask, JOB_VERSION, type Job } from "../jobs/job.ts"
import { BUSY, fairQueueOf, jobKeys } from "../jobs/job-keys.ts"
import { type Decision, type Found, listed } from "../jobs/job-store.ts"
import { askedNote } from "../operating/audit.ts"
import { RESPONSE_URL_MS } from "../slack/response-url.ts"
import type { Op } from "../store/commit.ts"
import { toHash } from "../store/record-fields.ts"
import type { Draft } from "./drafts.ts"
import { fromPrompts } from "./request-text.ts"

/** Time in ms after which a thread's job is in the list that a new request reads. */
const NEWEST_MS = 60_000

export interface NewRequest extends Draft {
  /** Id of the command, message or form that Slack sent, so that each starts at most one job. */
  delivery: string
  /** Id of Slack's event, for the log. */
  event?: string | undefined
  /** True if the person wants this request although it is identical to an earlier one. */
  anyway?: boolean | undefined
  /** Job that this request is about; otherwise the latest one of its thread and project. */
  job?: string | undefined
  /** Earlier job that the new one continues. */
  continuesJob?: string | undefined
}

type AuditDays = Pick<JobsDeps, "auditDays">

/** Request as the job stores it, and as it arrived. */
export interface Accepted {
  ask: Ask
  request: Omit<NewRequest, "delivery">
}

/** Returns what a new job writes. @param inMs delay of its card */
export function newJob(
  deps: AuditDays,
  accepted: readonly [Accepted, ...Accepted[]],
  { at, inMs }: { at: number; inMs: number },
) {
  const [{ ask, request }] = accepted
  const { project, channel, user, thread, continuesJob, replyUrl } = request
  const id = newId()
  const [record, text] = [jobKeys.record(id), jobKeys.words(id)]
  const set: Fields = {
    v: String(JOB_VERSION) as Job["v"],
    id,
    state: "queued",
    project,
    channel,
    thread,
    user,
    at,
    asks: accepted.map(({ ask }) => ({ ...ask, round: 1 })),
    round: 1,
    turnOf: user,
    continuesJob,
  }
  const newest = thread === undefined ? undefined : jobKeys.newest(project, channel, thread)
  const ops: Op[] = [
    { do: "enqueue", member: id, record, user, ...fairQueueOf(project, user) },
    { do: "add", key: BUSY, member: project },
    { do: "due", key: jobKeys.schedule("outbox"), member: id, inMs },
    ...(replyUrl === undefined ? [] : [put(jobKeys.reply(ask.id), replyUrl, RESPONSE_URL_MS)]),
    ...(newest === undefined ? [] : [put(newest, id, NEWEST_MS)]),
    ...accepted.flatMap((one) => notesOf(deps, one, id, at)),
  ]
  const words = fromPrompts(
    Object.fromEntries(accepted.map(({ ask, request: { prompt } }) => [ask.id, prompt])),
  )
  return { id, record, text, set, words, ops }
}

/** Returns what to store about a request beside its job, which has it from now on. */
export function notesOf(
  { auditDays }: AuditDays,
  accepted: Accepted,
  id: string,
  at: number,
): Op[] {
  const { user, channel, thread } = accepted.request
  const inThread = thread === undefined ? [] : [jobKeys.inThread(channel, thread)]
  return [
    ...[jobKeys.ofUser(user), ...inThread].map((key) => listed(key, { id, at })),
    ...askedNote(auditDays, id, accepted),
  ]
}

function put(key: string, value: string, keepMs: number): Op {
  return { do: "put", key, value, keepMs }
}

export function askOf({ user, ts, delivery, kind = "request" }: NewRequest, at: number): Ask {
  return { id: askId(delivery), user, at, round: 1, kind, ...(ts === undefined ? {} : { ts }) }
}

/**
 * Moves requests to a new job if the old one's pull request is over, if the deployment has no
 * messages, or if their requester wants that. Both jobs change in one step, so that no request is
 * ever in two.
 */
export function moveOut(
  deps: AuditDays,
  { job, prompts, now: at }: Found,
  asks: readonly Ask[],
): Decision {
  const { id, project, channel } = job
  const place = { project, channel, thread: job.thread ?? job.card }
  const [first, ...others] = asks.flatMap((ask): Accepted[] => {
    const stored = prompts[ask.id]
    if (!stored) return []
    // The requester was told of the unread files once the request was prepared.
    const { unread: _, ...prompt } = stored
    const { user, ts, kind } = ask
    return [{ ask, request: { ...place, user, ts, kind, continuesJob: id, prompt } }]
  })
  const forget = asks.map((ask) => ask.id)
  const left = job.asks.filter((ask) => !forget.includes(ask.id))
  const change = { set: { asks: left }, forget, due: { outbox: 0 } }
  if (!first) return change
  const { record: key, set, ops, ...texts } = newJob(deps, [first, ...others], { at, inMs: 0 })
  // Keeps the thread muted for those who muted it since.
  const fields = toHash({ ...set, muted: job.muted })
  return { ...change, ops: [{ do: "record", key, fields, ...texts }, ...ops] }
}

const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
const LENGTH = 10

/** Makes one of about 6 × 10^14 ids, ten characters that are easy to read out and to type. */
export function newId(): string {
  return idOf(randomBytes(LENGTH))
}

/** Derives the id of a request or its draft from the delivery, so that a repeat gets the same. */
export function askId(delivery: string): string {
  return idOf(createHash("sha256").update(delivery).digest().subarray(0, LENGTH))
}

function idOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("")
}
