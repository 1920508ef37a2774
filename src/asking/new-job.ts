import { createHash } from "node:crypto"
import { askedNote } from "../jobs/audit-log.ts"
import { type Creation, listed } from "../jobs/change.ts"
import { ID_LENGTH, idOf, JOB_VERSION, type Job, newId } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import { bytesOfPrompt } from "../jobs/request-text.ts"
import type { Accepted, NewRequest } from "../jobs/request-types.ts"
import { type Ask, roundId } from "../jobs/round-record.ts"
import { RESPONSE_URL_MS } from "../slack/client.ts"
import type { Op } from "../store/commit.ts"

/** Time in ms after which a thread's job is in the list that a new request reads. */
const NEWEST_MS = 60_000

interface NewJobOptions extends Pick<Creation, "inMs" | "prompts"> {
  at: number
  /** Persons whom its posts do not mention. */
  muted?: Job["muted"]
}

/** Makes a new job of these requests. */
export function newJob(
  auditDays: number,
  accepted: readonly [Accepted, ...Accepted[]],
  { at, muted = [], ...others }: NewJobOptions,
): Creation {
  const [{ ask, request }] = accepted
  const { project, channel, user, thread, continuesJob, replyUrl } = request
  const id = newId()
  const asks = accepted.map((one) => one.ask)
  const job: Job = {
    v: String(JOB_VERSION) as Job["v"],
    id,
    rev: 0,
    state: "queued",
    project,
    channel,
    user,
    at,
    rounds: [{ id: roundId(asks, at), at, way: "creation", asks }],
    waiting: [],
    turnOf: user,
    tag: 0,
    failures: 0,
    muted,
    thread,
    continuesJob,
  }
  const newest = thread === undefined ? undefined : jobKeys.newest(project, channel, thread)
  const ops: Op[] = [
    ...(replyUrl === undefined ? [] : [put(jobKeys.reply(ask.id), replyUrl, RESPONSE_URL_MS)]),
    ...(newest === undefined ? [] : [put(newest, id, NEWEST_MS)]),
    ...accepted.flatMap((one) => notesOf(auditDays, one, id, at)),
  ]
  return { job, ...others, ops }
}

/** Returns what to store about a request beside its job, which has it from now on. */
export function notesOf(auditDays: number, accepted: Accepted, id: string, at: number): Op[] {
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

export function askOf(request: NewRequest, at: number): Ask {
  const { user, ts, delivery, kind = "request", prompt } = request
  return { id: askId(delivery), user, at, kind, ts, ...bytesOfPrompt(prompt) }
}

/** Derives the id of a request or its draft from the delivery, so that a repeat gets the same. */
export function askId(delivery: string): string {
  return idOf(createHash("sha256").update(delivery).digest().subarray(0, ID_LENGTH))
}
