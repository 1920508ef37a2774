/** Beginnings of a round: a new job, requests that join or wait, the next round, a repetition. Pure. */

import { RESPONSE_URL_MS } from "../lib/time.ts"
import type { Op } from "../store/commit.ts"
import { askedNote } from "./audit-log.ts"
import { type Change, listed, type Moment, type NewJob } from "./change.ts"
import { askId, isOver, JOB_VERSION, type Job, newId } from "./job.ts"
import { jobKeys } from "./job-keys.ts"
import { type Accepted, bytesOfPrompt, type NewRequest } from "./request-record.ts"
import { type Ask, type Ending, isTold, type Round, roundId } from "./round-record.ts"
import {
  allAsks,
  bounded,
  currentAsks,
  currentRound,
  endingOf,
  fitsRound,
  isUpdate,
  MAX_FOLLOW_UPS,
  withAsk,
  withCurrent,
  withoutMute,
} from "./rounds.ts"

/** Endings after which nobody can run the same job again on the same card. */
const NOT_RUN_AGAIN: ReadonlySet<Ending> = new Set([
  "pull_request",
  "no_card",
  "not_allowed",
  "unreadable",
])
/** Endings after which the service's job accepts no message. */
const PAST_MESSAGES: ReadonlySet<Ending> = new Set(["archived", "gone", "refused"])
/** Endings after which the service may still report a pull request. */
const MAY_COME: ReadonlySet<Ending> = new Set(["no_pull_request", "lost", "gone"])

/** Time in ms after which a thread's job is in the list that a new request reads. */
const NEWEST_MS = 60_000

interface NewJobOptions extends Pick<NewJob, "inMs" | "prompts"> {
  at: number
  /** Persons whom its posts do not mention. */
  muted?: Job["muted"]
}

/** Makes a new job of these requests. */
export function newJob(
  auditDays: number,
  accepted: readonly [Accepted, ...Accepted[]],
  { at, muted = [], ...others }: NewJobOptions,
): NewJob {
  const [{ ask, request }] = accepted
  const { project, channel, user, thread, continuesJob, replyUrl } = request
  const id = newId()
  const asks = accepted.map((each) => each.ask)
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
    ...accepted.flatMap((each) => notesOf(auditDays, each, id, at)),
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
  const { user, ts, edited, delivery, reviews, prompt } = request
  const kind = reviews ? "review" : "request"
  return { id: askId(delivery), user, at, kind, ts, edited, ...bytesOfPrompt(prompt) }
}

/**
 * Adds a request. It joins a queued round. It waits while a round is being sent or is running, or
 * has ended and nobody has been told; otherwise it starts the next round.
 * @returns `new_job` as for `wayOf`; `too_many` or `too_long` if a round takes no more requests or bytes
 */
export function followedUp(
  job: Job,
  { ask, hasMessages, ...moment }: Moment & { ask: Ask; hasMessages: boolean },
): Change | "new_job" | Excess {
  if (job.state === "queued") return joins(job, ask)
  if (job.state !== "ended" || !isTold(currentRound(job))) return waits(job, ask)
  const way = wayOf(job, hasMessages)
  if (way !== "new_job") return begins(job, ask, way, moment)
  // With others that already wait it goes along, as they are about to become a new job.
  return job.waiting.length > 0 ? waits(job, ask) : way
}

type Excess = "too_many" | "too_long"

function joins(job: Job, ask: Ask): Change | Excess {
  const asks = withAsk(currentAsks(job), ask)
  return excessOf(asks) ?? shownSoon(job, ask, { rounds: withCurrent(job, { asks }) })
}

function waits(job: Job, ask: Ask): Change | Excess {
  const waiting = withAsk(job.waiting, ask)
  return excessOf(waiting) ?? shownSoon(job, ask, { waiting })
}

function begins(job: Job, ask: Ask, way: Round["way"], moment: Moment): Change | Excess {
  const asks = withAsk(job.waiting, ask)
  return (
    excessOf(asks) ?? begun({ ...withoutMute(job, ask.user), waiting: [] }, { way, asks }, moment)
  )
}

function excessOf(asks: readonly Ask[]): Excess | undefined {
  if (fitsRound(asks)) return undefined
  return asks.length > MAX_FOLLOW_UPS ? "too_many" : "too_long"
}

/** Shows a further request on the card, and mentions its requester again. */
function shownSoon(job: Job, ask: Ask, requests: Partial<Job>): Change {
  const { muted } = withoutMute(job, ask.user)
  // The delay of a round that others join starts again, so its place is out of date.
  return { set: { ...requests, muted, isAwaited: true, place: undefined }, due: { outbox: 0 } }
}

/**
 * Returns how to send this job follow-ups; `new_job` if it takes none or its pull request is over.
 * A creation quotes everything before it.
 * @param hasMessages whether the deployment accepts messages, as far as the bot knows
 */
function wayOf(job: Job, hasMessages: boolean): Round["way"] | "new_job" {
  const { agentJobId, prLink } = job
  const ending = endingOf(job)
  if (ending !== "pull_request" && prLink === undefined) return "creation"
  // A creation would take the place of the pull request, which has this card for its whole life.
  const isUnclearUpdate = ending === "unknown" && isUpdate(job)
  const isAlive = agentJobId !== undefined && (ending === "pull_request" || isUnclearUpdate)
  return isAlive && takesMessages(job, hasMessages) ? "message" : "new_job"
}

/** Returns whether a message still makes sense, which is asked once more right before it is sent. */
export function takesMessages({ pull }: Pick<Job, "pull">, hasMessages: boolean): boolean {
  return hasMessages && !isOver(pull?.state)
}

/** Begins one round with all waiting follow-ups, once people know how the last one ended. */
export function nextRound(
  job: Job,
  { hasMessages, ...moment }: Moment & { hasMessages: boolean },
): Change | "new_job" | undefined {
  const { waiting } = job
  if (!endingOf(job) || !isTold(currentRound(job)) || waiting.length === 0) return undefined
  const way = wayOf(job, hasMessages)
  // A round in doubt is not sent, only told of on the card that it was asked on.
  if (way === "new_job" && job.doubt === undefined) return way
  const next = way === "new_job" ? "message" : way
  return begun({ ...job, waiting: [] }, { way: next, asks: waiting }, moment)
}

/**
 * Begins a round with the last round's requests, for *Run again* or `retry`; `new_job` if an earlier
 * round's pull request, which keeps its card, is over or can't be updated any more.
 */
export function retried(
  job: Job,
  { user, ...moment }: Moment & { user: string },
): Change | "new_job" | undefined {
  const ending = endingOf(job)
  const { asks, way } = currentRound(job)
  if (!ending || NOT_RUN_AGAIN.has(ending) || asks.length === 0) return undefined
  const isPast = isUpdate(job) && (!job.agentJobId || PAST_MESSAGES.has(ending))
  if (isPast || isOver(job.pull?.state)) return "new_job"
  return begun(withoutMute(job, user), { way, asks, again: { user, how: "run" } }, moment)
}

/** Returns whether the agent may still be at work on an ended job, so that a rerun does it twice. */
export function mayStillRun(job: Job): boolean {
  const ending = endingOf(job)
  return (ending === "lost" || ending === "unknown") && !isOver(job.pull?.state)
}

/** Begins the next round, with the requests that go on waiting in `waiting`. */
function begun(job: Job, round: Omit<Round, "id" | "at">, { now }: Moment): Change {
  const change = added(job, { id: roundId(round.asks, now), at: now, ...round })
  const due = { outbox: 0, sessions: 0 }
  // Polls the pull request before a message goes to its job: somebody may just have merged it.
  return { ...change, due: round.way === "message" && job.pull ? { ...due, pulls: 0 } : due }
}

/** Adds a round as the current one, and forgets the oldest ones of a long conversation. */
function added(job: Job, round: Round): Change {
  const { muted, waiting } = job
  const rounds = bounded([...job.rounds, round])
  const left = new Set(allAsks({ rounds, waiting }).map(({ id }) => id))
  const forget = allAsks(job).flatMap(({ id }) => (left.has(id) ? [] : id))
  const set: Partial<Job> = { state: "queued", rounds, waiting, muted, place: undefined }
  return { set: { ...set, isAwaited: true }, forget }
}

/** Returns whether the service may still report a pull request of a job that ended without one. */
export function mayLookAgain(job: Job): job is Job & { agentJobId: string } {
  const ending = endingOf(job)
  return ending !== undefined && MAY_COME.has(ending) && job.agentJobId !== undefined
}

/** Resumes polling a job that ended without a pull request, for *Look for a pull request*. */
export function lookedAgain(
  job: Job,
  { user, now }: Moment & { user: string },
): Change | undefined {
  if (!mayLookAgain(job)) return undefined
  const { way, asks } = currentRound(job)
  const change = added(job, {
    id: roundId(asks, now),
    at: now,
    way,
    asks,
    again: { user, how: "look" },
    startedAt: now,
    seenActive: isUpdate(job) || undefined,
  })
  const due = { polls: 0, outbox: 0, sessions: 0 }
  return { ...change, set: { ...change.set, state: "active", place: job.place }, due }
}
