import { createHash } from "node:crypto"
import { askedNote } from "../jobs/audit-log.ts"
import { type Creation, type Decision, listed } from "../jobs/change.ts"
import { JOB_VERSION, type Job } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Found } from "../jobs/job-store.ts"
import { type Accepted, idOf, LENGTH, type NewRequest, newId } from "../jobs/new-request.ts"
import { bytesOfPrompt, type Prompt, type Prompts } from "../jobs/request-text.ts"
import { type Ask, roundId } from "../jobs/round.ts"
import { withoutAsks } from "../jobs/rounds.ts"
import { RESPONSE_URL_MS } from "../slack/client.ts"
import type { Op } from "../store/commit.ts"

/** Time in ms after which a thread's job is in the list that a new request reads. */
const NEWEST_MS = 60_000

/** Makes a new job of these requests. @param inMs delay of its card */
export function newJob(
  auditDays: number,
  accepted: readonly [Accepted, ...Accepted[]],
  { at, inMs, muted = [] }: { at: number; inMs: number; muted?: Job["muted"] },
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
  return { job, prompts: {}, inMs, ops }
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

/**
 * Moves requests to a new job if the old one's pull request is over, or if the deployment has no
 * messages. Both jobs change in one step, so that no request is ever in two. Its text stays where it
 * is. @param prompts texts of the requests, for the audit
 */
export function moveOut(
  auditDays: number,
  found: Found,
  asks: readonly Ask[],
  prompts: Prompts,
): Decision {
  const accepted = acceptedOf(found.job, asks, prompts)
  return moved(auditDays, found, asks, { accepted, prompts: withoutTold(accepted) })
}

/**
 * Moves a waiting request to a job of its own, which continues nothing of what still runs. The
 * request is prepared once more, because the whole thread is its context then.
 */
export function moveApart(
  auditDays: number,
  found: Found,
  asks: readonly Ask[],
  prompts: Prompts,
): Decision {
  const accepted = acceptedOf(found.job, asks, prompts).map(({ ask, request }): Accepted => {
    const { isPrepared: _, ...unprepared } = ask
    const { continuesJob: __, ...own } = request
    return { ask: unprepared, request: { ...own, prompt: withWholeThread(request.prompt) } }
  })
  const texts = accepted.map(({ ask, request }) => [ask.id, request.prompt])
  return moved(auditDays, found, asks, { accepted, prompts: Object.fromEntries(texts) })
}

function withWholeThread(asked: Prompt): Prompt {
  const { thread: _, unread: __, threadRange, ...prompt } = asked
  if (!threadRange) return prompt
  const { from: ___, ...whole } = threadRange
  return { ...prompt, threadRange: whole }
}

function acceptedOf(job: Job, asks: readonly Ask[], prompts: Prompts): Accepted[] {
  const { id, project, channel } = job
  const place = { project, channel, thread: job.thread ?? job.card, continuesJob: id }
  return asks.flatMap((ask): Accepted[] => {
    const prompt = prompts[ask.id]
    if (!prompt || ask.isForgotten) return []
    const { user, ts, kind } = ask
    return [{ ask, request: { ...place, user, ts, kind, prompt } }]
  })
}

function moved(
  auditDays: number,
  { job, now: at }: Found,
  asks: readonly Ask[],
  { accepted: [first, ...others], prompts }: { accepted: Accepted[]; prompts: Prompts },
): Decision {
  const ids = asks.map(({ id }) => id)
  const change = { set: withoutAsks(job, ids), due: { outbox: 0 } }
  if (!first) return { ...change, forget: ids }
  // Keeps the thread muted for those who muted it since.
  const made = newJob(auditDays, [first, ...others], { at, inMs: 0, muted: job.muted })
  return { ...change, creates: { ...made, prompts } }
}

/** Returns the texts of requests whose requesters were told of unread files, without these. */
function withoutTold(accepted: readonly Accepted[]): Prompts {
  const told = accepted.filter(({ ask, request }) => ask.isPrepared && request.prompt.unread)
  return Object.fromEntries(
    told.map(({ ask, request }) => {
      const { unread: _, ...prompt } = request.prompt
      return [ask.id, prompt]
    }),
  )
}

/** Derives the id of a request or its draft from the delivery, so that a repeat gets the same. */
export function askId(delivery: string): string {
  return idOf(createHash("sha256").update(delivery).digest().subarray(0, LENGTH))
}
