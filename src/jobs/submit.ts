import { create, type Op } from "../store/commit.ts"
import { scoresOf } from "../store/limits.ts"
import { toHash } from "../store/record.ts"
import { askedNote } from "./audit.ts"
import type { JobsDeps } from "./deps.ts"
import { askId, hashOfRequest, newId } from "./ids.ts"
import { type Ask, JOB_VERSION, type Job } from "./job.ts"
import { type Found, listed, type Wanted } from "./job-store.ts"
import { BUSY, fairQueueOf, jobKeys } from "./keys.ts"
import { queuesOf } from "./limit/queues.ts"
import type { Draft } from "./prompt/drafts.ts"
import { fromWords } from "./prompt/prompt.ts"
import { type Fields, followedUp, MAX_FOLLOW_UPS, movedOut, standingAsks } from "./transitions.ts"

/** Time in ms for which a delivery is remembered: Slack's delayed events may be up to 24 h late. */
const SEEN_MS = 25 * 3_600_000
/** Time in ms within which a person's identical request makes the bot ask first. */
const SAME_MS = 15 * 60_000
/** Time in ms within which requests from one person may be a burst. */
const BURST_MS = 60_000
/** Time in ms after which a thread's job is in the list that a new request reads. */
const NEWEST_MS = 60_000
/** Time in ms for which Slack accepts a command's response_url. */
const REPLY_MS = 30 * 60_000

export interface NewRequest extends Draft {
  /** Id of the command, message or form that Slack sent, so that each starts at most one job. */
  delivery: string
  via?: string | undefined
  /** True if the person wants this request although it is identical to an earlier one. */
  anyway?: boolean | undefined
  /** Job that this request is about; otherwise the latest one of its thread and project. */
  job?: string | undefined
  /** Earlier job that the new one continues. */
  continuesJob?: string | undefined
}

export type Submitted =
  | { outcome: "queued"; id: string }
  /** Repetition of a request within `SAME_MS`, which the person may want anyway. */
  | { outcome: "same"; id: string }
  | { outcome: "full"; of: "waiting" | "follow_ups"; waiting: number }
  | { outcome: "no_room" }

type Needed = "store" | "jobs" | "projectKeys" | "timing" | "auditDays" | "hasMessages" | "now"
export interface SubmitDeps extends Pick<JobsDeps, Needed> {
  limits: { maxQueuedPerUser: number }
  events: Pick<JobsDeps["events"], "asked">
}

/** Request as the job stores it, and as it arrived. */
interface Accepted {
  ask: Ask
  request: NewRequest
}

/**
 * Accepts a request once per delivery and resolves when it is durable. If its thread has a job of
 * the same project, the request joins that job, or continues it in a new one if the pull request is
 * over or takes no follow-ups.
 */
export async function submit(deps: SubmitDeps, request: NewRequest): Promise<Submitted> {
  const answer = await accept(deps, request)
  deps.events.asked(request, answer)
  return answer
}

async function accept(
  deps: SubmitDeps,
  request: NewRequest,
  mayJoin = request.job === undefined,
): Promise<Submitted> {
  const latest = await latestInThread(deps, request)
  const answer = latest ? await followUp(deps, latest, request) : "new_job"
  if (answer !== "new_job") return answer
  const begun = await begin(deps, { ...request, continuesJob: latest?.id }, mayJoin)
  // Another request of the thread began a job at the same time, so this one joins it.
  return begun.outcome === "joins" ? accept(deps, request, false) : begun
}

async function latestInThread({ jobs }: SubmitDeps, request: NewRequest): Promise<Job | undefined> {
  const { channel, thread, project, job: id } = request
  const found = thread === undefined ? [] : await jobs.inThread(channel, thread)
  return found.find(({ job }) => (id === undefined ? job.project === project : job.id === id))?.job
}

/** Adds the request to a job; `new_job` if the job takes none or its pull request is over. */
async function followUp(
  deps: SubmitDeps,
  latest: Job,
  request: NewRequest,
): Promise<Submitted | "new_job"> {
  const { store } = deps
  const known = await store.redis.get(jobKeys.seen(request.delivery))
  if (known !== null) return { outcome: "queued", id: known }
  const same = request.anyway ? null : await store.redis.get(jobKeys.same(hashOf(request)))
  const id = same === null ? undefined : await spentJob(deps, same)
  if (id !== undefined) return { outcome: "same", id }
  return join(deps, latest, request)
}

/**
 * Resolves to the id of the request's job if the bot sent or will send the request; a cancelled one
 * may be sent again. @param same value of `jobKeys.same`
 */
async function spentJob({ jobs }: SubmitDeps, same: string): Promise<string | undefined> {
  const [id = "", ask] = same.split(" ")
  const holds = ({ job }: Pick<Found, "job">) => standingAsks(job).some((one) => one.id === ask)
  const found = await jobs.find(id)
  if (!found || holds(found)) return found?.job.id
  // It may have moved to another job of its thread.
  const { channel, thread, card = "" } = found.job
  return (await jobs.inThread(channel, thread ?? card)).find(holds)?.job.id
}

async function join(
  deps: SubmitDeps,
  { id, project }: Job,
  request: NewRequest,
): Promise<Submitted | "new_job"> {
  const { jobs } = deps
  const ask = askOf(request, await deps.now())
  const hasMessages = await deps.hasMessages(project)
  const ops = notesOf(deps, { request, ask }, id, ask.at)
  const hash = hashOf(request)
  const changed = await jobs.change<"new_job" | "full" | "known" | "same">(
    id,
    ({ job, words, now }) => {
      if (job.asks.some((one) => one.id === ask.id)) return "known"
      // Finds what was written since `same` was read: several at once must not all go through.
      const isSame = ({ id: of, user, at }: Ask) =>
        words[of] && now - at < SAME_MS && hashOf({ project, user, prompt: words[of] }) === hash
      if (!request.anyway && standingAsks(job).some(isSame)) return "same"
      const change = followedUp(job, { ask, hasMessages, now })
      return typeof change === "string"
        ? change
        : { ...change, words: { [ask.id]: request.prompt }, ops }
    },
  )
  if (changed === undefined || changed === "new_job") return "new_job"
  if (changed === "same") return { outcome: "same", id }
  if (changed === "full") return { outcome: "full", of: "follow_ups", waiting: MAX_FOLLOW_UPS }
  return { outcome: "queued", id }
}

/**
 * Returns the delay in ms of a card. Cards of one person are spaced, so that bulk requests do not
 * delay other people's cards. After a failover to a Redis with a slower clock, earlier requests can
 * lie ahead. Pure. @param earlier times of the person's requests, oldest first
 */
export function cardDelay(earlier: readonly number[], at: number, apartMs: number): number {
  const free = earlier.reduce((free, asked) => Math.max(free, Math.min(asked, at)) + apartMs, 0)
  return Math.max(0, free - at)
}

/**
 * Stores a new job.
 * @param mayJoin whether to store nothing if the thread has a newer job than `continuesJob`
 * @param unsent an equal request that was cancelled, as `jobKeys.same` holds it
 */
async function begin(
  deps: SubmitDeps,
  request: NewRequest,
  mayJoin: boolean,
  unsent?: string,
): Promise<Submitted | { outcome: "joins" }> {
  const { project, channel, user, thread, continuesJob, delivery } = request
  const at = await deps.now()
  const recent = await scoresOf(deps.store, jobKeys.ofUser(user), at - BURST_MS)
  const times = recent.map(({ score }) => score)
  const inMs = cardDelay(times, at, deps.timing.rates.channelPost[0])
  const { id, ...writing } = newJob(deps, [{ request, ask: askOf(request, at) }], { at, inMs })
  const newest = thread === undefined ? undefined : jobKeys.newest(project, channel, thread)
  const same = { key: jobKeys.same(hashOf(request)), answer: "same", except: unsent }
  const full = { keys: waitingKeys(deps, user), most: deps.limits.maxQueuedPerUser }
  const [outcome, found] = await create(deps.store, writing, {
    taken: [
      { key: jobKeys.seen(delivery), answer: "known" },
      ...(request.anyway ? [] : [same]),
      ...(mayJoin && newest ? [{ key: newest, answer: "joins", except: continuesJob }] : []),
    ],
    full,
  })
  if (outcome === "full") return { outcome, of: "waiting", waiting: Number(found) }
  if (outcome === "no_room" || outcome === "joins") return { outcome }
  if (outcome !== "same") return { outcome: "queued", id: found || id }
  const spent = await spentJob(deps, found)
  if (spent !== undefined) return { outcome, id: spent }
  return begin(deps, request, mayJoin, found)
}

/** Returns what a new job writes. @param inMs delay of its card */
function newJob(
  deps: SubmitDeps,
  accepted: readonly [Accepted, ...Accepted[]],
  { at, inMs }: { at: number; inMs: number },
) {
  const [{ request }] = accepted
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
    ...(replyUrl === undefined ? [] : [put(jobKeys.reply(id), replyUrl, REPLY_MS)]),
    ...(newest === undefined ? [] : [put(newest, id, NEWEST_MS)]),
    ...accepted.flatMap((one) => notesOf(deps, one, id, at)),
  ]
  const words = fromWords(
    Object.fromEntries(accepted.map(({ ask, request: { prompt } }) => [ask.id, prompt])),
  )
  return { id, record, text, set, words, ops }
}

/** Returns the keys of a person's queued jobs, one for each queue. */
export function waitingKeys({ projectKeys }: Pick<SubmitDeps, "projectKeys">, user: string) {
  return queuesOf(projectKeys).map((queue) => fairQueueOf(queue, user).waiting)
}

/**
 * Returns what to store with a request. Marks the delivery as seen last, so that Slack's retry
 * still counts if an earlier write fails.
 */
function notesOf({ auditDays }: SubmitDeps, accepted: Accepted, id: string, at: number): Op[] {
  const { request, ask } = accepted
  const { user, channel, thread, delivery } = request
  const inThread = thread === undefined ? [] : [jobKeys.inThread(channel, thread)]
  return [
    ...[jobKeys.ofUser(user), ...inThread].map((key) => listed(key, { id, at })),
    ...askedNote(auditDays, id, request, at),
    put(jobKeys.same(hashOf(request)), `${id} ${ask.id}`, SAME_MS),
    put(jobKeys.seen(delivery), id, SEEN_MS),
  ]
}

function put(key: string, value: string, keepMs: number): Op {
  return { do: "put", key, value, keepMs }
}

function askOf({ user, ts, delivery, kind = "request" }: NewRequest, at: number): Ask {
  return { id: askId(delivery), user, at, round: 1, kind, ...(ts === undefined ? {} : { ts }) }
}

function hashOf({ project, user, prompt }: Pick<Draft, "project" | "user" | "prompt">): string {
  return hashOfRequest(project, user, prompt.words, prompt.files)
}

/**
 * Moves requests to a new job if the old one's pull request is over, if the deployment has no
 * messages, or if their requester wants that. Both jobs change in one step, so that no request is
 * ever in two.
 */
export function moveOut(
  deps: SubmitDeps,
  { job, words, now: at }: Found,
  asks: readonly Ask[],
): Wanted {
  const { id, project, channel } = job
  const place = { project, channel, thread: job.thread ?? job.card }
  const [first, ...others] = asks.flatMap((ask): Accepted[] => {
    const stored = words[ask.id]
    if (!stored) return []
    // The requester was told of the unread files once the request was prepared.
    const { unread: _, ...prompt } = stored
    const { user, ts, kind } = ask
    const origin = { delivery: `out:${ask.id}`, continuesJob: id }
    return [{ ask, request: { ...place, user, ts, kind, ...origin, prompt } }]
  })
  const change = movedOut(
    job,
    asks.map((ask) => ask.id),
  )
  if (!first) return change
  const { record: key, set, ops, ...texts } = newJob(deps, [first, ...others], { at, inMs: 0 })
  // Who has muted the thread since is not mentioned there because of the move.
  const fields = toHash({ ...set, muted: job.muted })
  return { ...change, ops: [{ do: "record", key, fields, ...texts }, ...ops] }
}
