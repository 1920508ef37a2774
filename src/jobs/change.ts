import { DAY_MS, HOUR_MS } from "../lib/time.ts"
import type { Keep, Op, Unless } from "../store/commit.ts"
import type { Job } from "./job.ts"
import {
  BUSY,
  dispatchOf,
  fairQueueOf,
  jobKeys,
  type Kind,
  monthsOf,
  queueKeys,
  queueOf,
  slotOf,
} from "./job-keys.ts"
import { fromPrompt, type Prompts, type TextOwner } from "./request-record.ts"
import type { Ask, Ending } from "./round-record.ts"
import {
  allAsks,
  currentAsks,
  endedRound,
  endingOf,
  firstAsk,
  readyAt,
  standingAsks,
  turnOf,
  unsentAsks,
} from "./rounds.ts"

/**
 * Change to a job. Those of its rounds come from `begin-round.ts`, `prepare-round.ts`, `send-round.ts` and
 * `end-round.ts`, but for the grant (`store/grant-slot.ts`). Each function there has no effects and
 * returns a change, a verdict, or `undefined` for none. Its comment says what the change does once
 * `job-store.ts` writes it, in one step.
 */
export interface Change {
  set?: Partial<Job>
  /**
   * Delay in ms after which the job is due. In the outbox it cuts short no wait for Slack's limits or
   * after a failure, unless the job `isAwaited` or has news to post: see `opsOf`.
   */
  due?: Partial<Record<Kind, number>>
  /** Effect on the round's slot: freed, or its time set to now because the service has answered. */
  slot?: "back" | "arrived"
  /** Ids of requests whose text is deleted; `withdrawn` says why, if they were never sent. */
  forget?: readonly string[]
  withdrawn?: Ending
}

/** Time of a change in ms, by Redis's clock. */
export interface Moment {
  now: number
}

export interface Changed<C extends Change = Change> {
  before: Job
  job: Job
  change: C
  now: number
}

/** New job and what is stored with it. */
export interface NewJob {
  job: Job
  prompts: Prompts
  /** Delay of its card in ms. */
  inMs: number
  ops: readonly Op[]
}

/**
 * Change to a job, and what the store writes with it: texts of its requests, a new job that takes
 * some of them over, and other operations.
 */
export type Decision = Change & {
  prompts?: Prompts
  creates?: NewJob
  ops?: readonly Op[]
  unless?: Unless
}

/** Returns the job after a change, with the fields that follow from the others. */
export function applied(job: Job, { set }: Change, delayMs: number): Job {
  const changed = { ...job, ...set, rev: job.rev + 1 }
  const next = unsentAsks(changed).length > 0 ? changed : { ...changed, doubt: undefined }
  const user = firstAsk(next)?.user ?? next.user
  return { ...next, user, turnOf: turnOf(next), mayStartAt: readyAt(next, delayMs) }
}

/** Derives what a change writes besides the record: schedules, queue, rolling hour, index. Pure. */
export function opsOf({ before, job, change, now }: Changed): Op[] {
  const { id } = job
  const [from, to] = [queueOf(before), queueOf(job)]
  const ops = [...queueOps(before, job), ...slotOps(before, change, from, now)]
  const isNews = job.prLink !== before.prLink || job.pull?.state !== before.pull?.state
  const hasEnded = endedRound(before, job) !== undefined
  // The channels that get all results show what is new of a pull request.
  const due = isNews || hasEnded ? { results: 0, ...change.due } : change.due
  const isReviewDue = job.pull?.review?.state === "due" && before.pull?.review?.state !== "due"
  const isToPost = hasEnded || isNews || isReviewDue
  for (const [kind, inMs] of Object.entries(due ?? {})) {
    const entry = { key: jobKeys.schedule(kind as Kind), member: id }
    // A change undoes no wait for a limit or after a failure, unless people wait for it: news is
    // posted while the card's edit rests. So no step may wait long in the outbox for a time to come:
    // what happens meanwhile would be shown only then.
    const onlyIfAbsent = kind === "outbox" && !job.isAwaited && !isToPost
    ops.push({ do: "due", ...entry, inMs: Math.max(0, Math.round(inMs)), onlyIfAbsent })
  }
  if (job.mayStartAt !== undefined && job.mayStartAt !== before.mayStartAt)
    ops.push({ do: "tell", what: dispatchOf(to) })
  if (job.card !== undefined && before.card === undefined)
    ops.push(listed(jobKeys.inThread(job.channel, job.thread ?? job.card), job))
  return ops
}

/** Derives what a new job writes besides its record. Pure. */
export function newJobOps({ job, prompts, inMs, ops }: NewJob): Op[] {
  const { id, project, user } = job
  const record = jobKeys.record(id)
  return [
    { do: "enqueue", member: id, record, user, ...fairQueueOf(project, user) },
    { do: "add", key: BUSY, member: project },
    { do: "due", key: jobKeys.schedule("outbox"), member: id, inMs },
    ...puts(prompts),
    keepOf(allAsks(job), "ever"),
    ...ops,
  ]
}

/**
 * Returns the operations that keep a job in its queue exactly while it is queued. A job that was
 * put back returns to its old position; any other goes behind its person's other jobs.
 */
function queueOps(before: Job, job: Job): Op[] {
  if (before.state === job.state && before.turnOf === job.turnOf) return []
  const { id, turnOf, tag } = job
  const old = fairQueueOf(queueOf(before), before.turnOf)
  const left = before.state === "queued" ? [old.wait, old.waiting] : []
  const ops = left.map((key): Op => ({ do: "leave", key, member: id }))
  if (job.state !== "queued") return ops
  const next = fairQueueOf(queueOf(job), turnOf)
  const position: Op[] =
    before.state === "creating"
      ? [next.wait, next.waiting].map((key) => ({ do: "score", key, member: id, score: tag }))
      : [{ do: "enqueue", member: id, record: jobKeys.record(id), user: turnOf, ...next }]
  return [...ops, ...position, { do: "add", key: BUSY, member: queueOf(job) }]
}

/**
 * Returns the operations that end an attempt in flight, and free its slot or set its time to now.
 */
function slotOps(job: Job, { slot, set }: Change, queue: string, now: number): Op[] {
  if (job.state !== "creating" || set?.state === undefined || set.state === "creating") return []
  const { creating, log } = queueKeys(queue)
  const member = slotOf(job)
  const counted = slot === "back" ? [log, ...monthsOf(queue, now)] : []
  return [
    { do: "leave", key: creating, member: job.id },
    ...counted.map((key) => ({ do: "leave" as const, key, member })),
    ...(slot === "arrived" ? [{ do: "stamp" as const, key: log, member }] : []),
    { do: "tell", what: dispatchOf(queue) },
  ]
}

/** Time in ms for which ended jobs and their text stay, for *Run again* and `status`. */
const KEEP_MS = 7 * DAY_MS
/** Time in ms after a round for which its pull request is followed and its thread finds the job. */
export const FOLLOWED_MS = 30 * DAY_MS
/** Time in ms for which the text of cancelled requests stays, for *Run again*. */
export const CANCELLED_MS = HOUR_MS

/** Returns for how long to keep the record and its text once its state or pull request changed. */
export function keptFor(before: Job, job: Job) {
  const { state, pull, prLink } = job
  if (before.state === state && before.pull?.since === pull?.since) return undefined
  if (state !== "ended") return { keepMs: "ever", wordsMs: "ever" } as const
  // A closed one may be reopened, and one that nobody follows may be open.
  const mayBeOpen = prLink !== undefined && pull?.state !== "merged"
  const keepMs = mayBeOpen ? FOLLOWED_MS + DAY_MS : KEEP_MS
  return { keepMs, wordsMs: endingOf(job) === "cancelled" ? CANCELLED_MS : KEEP_MS }
}

/** Maximum number of jobs in the list of a person or thread; the oldest are dropped. */
const MAX_LISTED = 200

/** Adds the job to a list by which it can be found: a person's or a thread's. */
export function listed(key: string, { id, at }: Pick<Job, "id" | "at">): Op {
  return { do: "list", key, member: id, score: at, most: MAX_LISTED, keepMs: FOLLOWED_MS }
}

/** Returns the operations that store these texts. */
function puts(prompts: Prompts): Op[] {
  return Object.entries(prompts).flatMap(([id, prompt]): Op[] => [
    { do: "put", key: jobKeys.words(id), value: fromPrompt(prompt) },
    ...(prompt.attached === undefined
      ? []
      : [{ do: "put" as const, key: jobKeys.files(id), value: prompt.attached }]),
  ])
}

function keepOf(asks: readonly TextOwner[], ms: Keep): Op {
  const keys = asks.flatMap(({ id, fileBytes }) =>
    fileBytes === undefined ? [jobKeys.words(id)] : [jobKeys.words(id), jobKeys.files(id)],
  )
  return { do: "keep", keys, ms }
}

/**
 * Derives what a change does to the texts of its requests: stores new ones, deletes those that were
 * withdrawn and files that no repetition needs, and keeps the others as long as the job. Pure.
 * @param keepMs absent: as long as before
 */
export function textOps({ before, job, change }: Changed<Decision>, keepMs?: Keep): Op[] {
  const { forget = [], prompts = {} } = change
  const isKept = ([id]: [string, unknown]) => !forget.includes(id)
  const spent = spentFiles(job).filter((id) => !spentFiles(before).includes(id))
  const drop = [
    ...forget.flatMap((id) => [jobKeys.words(id), jobKeys.files(id)]),
    ...spent.map(jobKeys.files),
  ]
  return [
    ...puts(Object.fromEntries(Object.entries(prompts).filter(isKept))),
    ...drop.map((key): Op => ({ do: "drop", key })),
    ...(keepMs === undefined ? [] : [keepOf(keptAsks(job), keepMs)]),
  ]
}

/** Returns the requests whose texts stay with the job: what waits is kept whatever happens. */
function keptAsks(job: Job): Ask[] {
  if (job.state !== "ended") return standingAsks(job)
  const waiting = new Set(job.waiting.map(({ id }) => id))
  return allAsks(job).filter(({ id }) => !waiting.has(id))
}

/** Returns the requests with files that were sent and are not sent again: only words are quoted. */
function spentFiles(job: Job): string[] {
  const mayGo = [...(endingOf(job) === "pull_request" ? [] : currentAsks(job)), ...job.waiting]
  const open = new Set(mayGo.map(({ id }) => id))
  const withFiles = allAsks(job).filter(({ fileBytes }) => fileBytes !== undefined)
  return withFiles.flatMap(({ id }) => (open.has(id) ? [] : [id]))
}
