/**
 * Life cycle of a job: every change of its `state` and requests, in the order in which they happen,
 * but for the grant (`store/reserve.ts`) and the move to a new job (`moveOut` in `new-job.ts`).
 * Each has no effects and returns a `Change`, a verdict, or `undefined` for no change. Its comment
 * says what the change does once `job-store.ts` writes it, in one step.
 */

import type { Observation } from "../following/observe-job.ts"
import { defined } from "../lib/defined.ts"
import {
  carriedOver,
  currentAsks,
  isForgotten,
  isTold,
  joined,
  quotableAsks,
  repeatedAsks,
  retryOf,
  takenIn,
  waitingAsks,
} from "./asks.ts"
import type { Change } from "./change.ts"
import type { CreationOutcome } from "./creation-outcome.ts"
import { type Ask, type Ending, isOver, isUpdate, type Job } from "./job.ts"
import { type Link, pullFound } from "./pull-transitions.ts"

interface Moment {
  now: number
}

/** Maximum requests in a queued round, or waiting for the next one: see `SETTINGS.md`. */
export const MAX_FOLLOW_UPS = 50

/** Endings after which nobody can run the same job again on the same card. */
const NOT_RUN_AGAIN: ReadonlySet<Ending> = new Set(["pull_request", "no_card", "not_allowed"])
/** Endings that waiting follow-ups share: sending them could repeat work or be refused again. */
const SHARED: ReadonlySet<Ending> = new Set(["unknown", "refused"])
/** Endings after which the service's job accepts no message. */
const PAST_MESSAGES: ReadonlySet<Ending> = new Set(["archived", "gone", "refused"])

/** Clears what came of the service's earlier job, once there is a new one. */
const NO_WORK = { prLink: undefined, pull: undefined }

/** Names of the fields that `applied` derives from the others. */
export const DERIVED = ["user", "turnOf", "mayStartAt"] as const

/** Returns the job after a change, with the fields that follow from the others. */
export function applied(job: Job, { set }: Change, delayMs: number): Job {
  const next = { ...job, ...set, rev: job.rev + 1 } as Job
  const mayStartAt = readyAt(next, delayMs)
  const user = next.asks[0]?.user ?? next.user
  return defined<object>({ ...next, user, turnOf: turnOf(next), mayStartAt }) as Job
}

/** Returns whose turn a queued round uses: of who pressed *Run again*, or else who asked first. */
function turnOf(job: Job): string {
  const [first] = currentAsks(job)
  return job.state === "queued" ? ((retryOf(job) ?? first)?.user ?? job.turnOf) : job.turnOf
}

/**
 * Returns the moment from which the round may start: its card is posted, all its requesters are
 * looked up, and the delay since the card and the last request is over. Undefined until then.
 */
function readyAt(job: Job, delayMs: number): number | undefined {
  const asks = currentAsks(job)
  const isReady = job.card !== undefined && asks.every(({ isPrepared }) => isPrepared)
  if (job.state !== "queued" || !isReady) return undefined
  return Math.max(job.cardAt ?? 0, retryOf(job)?.at ?? 0, ...asks.map(({ at }) => at)) + delayMs
}

export function cardPosted(job: Job, at: Moment & { ts: string; hash: string }): Change {
  const { ts: card, hash: cardHash, now: cardAt } = at
  if (job.card !== undefined) return { set: { posting: undefined } }
  return { set: { card, cardAt, cardHash, posting: undefined }, due: { sessions: 0 } }
}

/** Marks allowed requests as prepared and removes refused ones; withdraws an emptied round. */
export function prepared(
  job: Job,
  found: Moment & { allowed: string[]; refused: string[]; note?: Job["note"] },
): Change {
  const { allowed, refused, note, now } = found
  const marked = job.asks.map((ask) =>
    allowed.includes(ask.id) ? { ...ask, isPrepared: true as const } : ask,
  )
  const asks = marked.filter(({ id }) => !refused.includes(id))
  if (refused.length > 0 && job.state === "queued" && currentAsks({ ...job, asks }).length === 0)
    return withoutRound({ ...job, asks: marked }, "not_allowed", now, refused)
  const set = { asks, note: note ?? job.note }
  return { set, forget: refused, withdrawn: "not_allowed", due: { outbox: 0 } }
}

/** Ends a job without starting it, because the bot could not post its card. */
export function notPosted(job: Job, { detail, now }: { detail: string; now: number }): Change {
  const end = job.state === "queued" ? ended(job, "no_card", now, detail) : {}
  return { ...end, set: { ...end.set, posting: undefined } }
}

/**
 * Adds a request. It joins a queued round. It waits while a round is being sent or is running, or
 * has ended and nobody has been told; otherwise it starts the next round.
 * @returns `new_job` as for `wayOf`; `full` if the round has `MAX_FOLLOW_UPS` requests already
 */
export function followedUp(
  job: Job,
  { ask, hasMessages, ...at }: Moment & { ask: Omit<Ask, "round">; hasMessages: boolean },
): Change | "new_job" | "full" {
  const { state, round } = job
  const isQueued = state === "queued"
  const { muted } = unmuted(job, ask.user)
  if (state === "ended" && isTold(job)) {
    const way = wayOf(job, hasMessages)
    if (way === "new_job") {
      // Goes with those that already wait, which are about to become a new job.
      if (waitingAsks(job).length === 0) return way
    } else {
      const asks = [...quotableAsks(job), { ...ask, round: round + 1 }]
      return begun({ ...job, asks, muted }, way, at)
    }
  }
  const others = isQueued ? currentAsks(job) : waitingAsks(job)
  if (others.length >= MAX_FOLLOW_UPS) return "full"
  const asks = joined(job.asks, { ...ask, round: isQueued ? round : round + 1 })
  // The delay of a round that others join starts again, so its place is out of date.
  return { set: { asks, muted, isAwaited: true, place: undefined }, due: { outbox: 0 } }
}

/** Way to send a round: as a message, or as a creation that quotes everything before it. */
type Sending = "message" | "creation"

/**
 * Returns how to send this job follow-ups; `new_job` if it takes none or its pull request is over.
 * @param hasMessages whether the deployment accepts messages, as far as the bot knows
 */
function wayOf(job: Job, hasMessages: boolean): Sending | "new_job" {
  const { ending, follows, agentJobId, prLink } = job
  if (ending !== "pull_request" && prLink === undefined) return "creation"
  // A creation would take the place of the pull request, which has this card for its whole life.
  const isUnclearUpdate = ending === "unknown" && follows !== undefined
  const isAlive = agentJobId !== undefined && (ending === "pull_request" || isUnclearUpdate)
  return isAlive && takesMessages(job, hasMessages) ? "message" : "new_job"
}

/** Returns whether a message still makes sense, which is asked once more right before it is sent. */
export function takesMessages({ pull }: Pick<Job, "pull">, hasMessages: boolean): boolean {
  return hasMessages && !isOver(pull?.state)
}

/** Applies the outcome of a creation; ignored unless `token` is the job's current grant. */
export function settled(
  job: Job,
  answer: { token: string; outcome: CreationOutcome; pollMs: number; now: number },
): Change | undefined {
  const { token, outcome, pollMs, now } = answer
  if (job.state !== "creating" || job.grant !== token) return undefined
  switch (outcome.kind) {
    case "created": {
      const isNew = !isUpdate(job)
      return {
        set: {
          ...(isNew ? NO_WORK : {}),
          state: "active",
          agentJobId: outcome.agentJobId,
          startedAt: now,
          misses: 0,
          prLink: outcome.prLink ?? (isNew ? undefined : job.prLink),
          isReactivated: outcome.isReactivated || undefined,
        },
        due: { polls: pollMs, outbox: 0 },
        slot: "arrived",
      }
    }
    case "put_back":
      if (isForgotten({ asks: currentAsks(job) }))
        return { ...withoutRound(job, "cancelled", now), slot: "back" }
      return { set: { state: "queued", asks: takenIn(job) }, slot: "back", due: { outbox: 0 } }
    case "not_allowed":
      return { ...withoutRound(job, "not_allowed", now), slot: "back" }
    case "needs_job":
      return job.lastRound && { ...waitingAgain(job, job.lastRound), slot: "back" }
    case "no_text":
      return { ...withoutRound(job, "cancelled", now), slot: "back" }
    case "refused":
      return { ...ended(job, "refused", now, outcome.detail), slot: "back" }
    case "unknown":
      return ended(job, "unknown", now, outcome.detail)
    default:
      return outcome satisfies never
  }
}

/** Ends a creation whose process died. It may have reached the service, so its slot stays taken. */
export function abandoned(job: Job, { now }: Moment): Change | undefined {
  return job.state === "creating" ? ended(job, "unknown", now) : undefined
}

/** Restores a creation (with its token) that Redis lost and its process reported. */
export function remembered(
  job: Job,
  { token, round }: { token: string; round: number },
): Change | undefined {
  // A later round needs its own creation.
  if (job.state !== "queued" || job.round !== round) return undefined
  return { set: { state: "creating", grant: token }, due: { outbox: 0 } }
}

/** Applies a poll's answer, and follows its link. The end of the lease schedules the next poll. */
export function polled(
  job: Job,
  found: Observation & Moment & { link?: Link | undefined },
): Change | undefined {
  if (job.state !== "active") return undefined
  const { misses, ending, link, now } = found
  const followed = link ? pullFound(job, { ...link, now }) : {}
  const set = {
    ...followed.set,
    misses,
    isReactivated: found.isReactivated ?? job.isReactivated,
    prLink: found.prLink ?? job.prLink,
  }
  if (ending) {
    const end = ended(job, ending, now)
    return { ...end, set: { ...set, ...end.set }, due: { ...end.due, ...followed.due } }
  }
  const names = Object.keys(set) as (keyof typeof set)[]
  const isChanged = names.some((name) => set[name] !== job[name])
  return isChanged ? { set, due: { outbox: 0, ...followed.due } } : undefined
}

/** Ends a round. Waiting follow-ups begin once the requester has been told: see `nextRound`. */
function ended(job: Job, ending: Ending, now: number, detail?: string): Change {
  return {
    set: {
      state: "ended",
      ending,
      endedAt: now,
      detail: detail || undefined,
      isLookedFor: undefined,
      ...(SHARED.has(ending) ? { asks: takenIn(job) } : {}),
    },
    due: { outbox: 0, sessions: 0 },
  }
}

/** Begins one round with all waiting follow-ups, once people know how the last one ended. */
export function nextRound(
  job: Job,
  { hasMessages, ...at }: Moment & { hasMessages: boolean },
): Change | "new_job" | undefined {
  if (job.state !== "ended" || !job.ending || !isTold(job) || waitingAsks(job).length === 0)
    return undefined
  const way = wayOf(job, hasMessages)
  return way === "new_job" ? way : begun({ ...job, asks: [...quotableAsks(job)] }, way, at)
}

/** Begins the next round with its requests in `asks`. @param retryBy who pressed *Run again* */
function begun(job: Job, way: Sending, { now }: Moment, retryBy?: string): Change {
  const { asks, ending, follows, note, muted } = job
  const isMessage = way === "message"
  return {
    // `startedAt`, `endedAt` and `detail` stay until this round has its own.
    set: {
      state: "queued",
      round: job.round + 1,
      asks,
      origin: { at: now, ...defined({ retryBy }) },
      follows: isMessage ? job.agentJobId : undefined,
      lastRound: ending && defined({ ending, follows, note, origin: job.origin }),
      ending: undefined,
      note: undefined,
      place: undefined,
      isAwaited: true,
      muted,
    },
    // Polls the pull request before a message goes to its job: somebody may just have merged it.
    due: { outbox: 0, sessions: 0, ...(isMessage && job.pull ? { pulls: 0 } : {}) },
  }
}

/**
 * Begins a round with the last round's requests, for *Run again* or `retry`; `new_job` if an earlier
 * round's pull request, which keeps its card, is over or can't be updated any more.
 */
export function retried(
  job: Job,
  { user, ...at }: Moment & { user: string },
): Change | "new_job" | undefined {
  if (job.state !== "ended" || !job.ending || NOT_RUN_AGAIN.has(job.ending)) return undefined
  if (currentAsks(job).length === 0) return undefined
  const isPast = isUpdate(job) && (!job.agentJobId || PAST_MESSAGES.has(job.ending))
  if (isPast || isOver(job.pull?.state)) return "new_job"
  const way = isUpdate(job) ? "message" : "creation"
  return begun({ ...unmuted(job, user), asks: carriedOver(job) }, way, at, user)
}

/** Resumes polling a job that ended without a pull request, for *Look for a pull request*. */
export function lookedAgain(job: Job, { now }: Moment): Change | undefined {
  const { state, ending, agentJobId } = job
  const mayCome = ending === "no_pull_request" || ending === "lost" || ending === "gone"
  if (state !== "ended" || !mayCome || agentJobId === undefined) return undefined
  return {
    set: {
      state: "active",
      round: job.round + 1,
      asks: carriedOver(job),
      ending: undefined,
      detail: undefined,
      isLookedFor: true,
      startedAt: now,
      misses: 0,
      isAwaited: true,
      ...(isUpdate(job) ? { isReactivated: true } : {}),
    },
    due: { polls: 0, outbox: 0, sessions: 0 },
  }
}

interface Cancelling extends Moment {
  mayCancel: (ask: Ask) => boolean
  by?: string
  id?: string | undefined
}

/** Cancels unsent requests. `too_late`: none of theirs is left; `not_yours`: none was theirs. */
export function cancelled(job: Job, wish: Cancelling): Change | "too_late" | "not_yours" {
  const { mayCancel, by, id, now } = wish
  const open =
    job.state === "queued" ? [...currentAsks(job), ...waitingAsks(job)] : waitingAsks(job)
  const meant = open.filter((ask) => id === undefined || ask.id === id)
  if (meant.length === 0) return "too_late"
  const current = currentAsks(job)
  const isUndone = id === undefined && isRerunOf(job, by, mayCancel)
  // An admin who has requests of their own here means these.
  const own = meant.filter(({ user }) => id === undefined && user === by)
  const isTheirs = own.length > 0 ? (ask: Ask) => own.includes(ask) : mayCancel
  const gone = meant.filter((ask) => isTheirs(ask) || (isUndone && current.includes(ask)))
  if (gone.length === 0)
    return id === undefined && current.some(mayCancel) ? "too_late" : "not_yours"
  const asks = job.asks.filter((ask) => !gone.includes(ask))
  const forget = gone.map((ask) => ask.id)
  const isEmpty = job.state === "queued" && current.every((ask) => gone.includes(ask))
  if (isEmpty) return withoutRound(job, "cancelled", now, forget)
  const set = { asks, isAwaited: true as const }
  return { set, forget, withdrawn: "cancelled", due: { outbox: 0 } }
}

/**
 * Returns whether the round is this person's rerun, which they may undo for everybody whose requests
 * it repeats, unless somebody else has joined it since.
 */
function isRerunOf(job: Job, by: string | undefined, mayCancel: (ask: Ask) => boolean): boolean {
  const retry = retryOf(job)
  if (!retry || retry.user !== by) return false
  return currentAsks(job).every((ask) => ask.at < retry.at || mayCancel(ask))
}

/**
 * Withdraws an unsent round: a first one ends the job, a later one returns it to the one before.
 * @param gone ids of withdrawn requests; those of the round itself need not be among them
 */
function withoutRound(job: Job, ending: Ending, now: number, gone: readonly string[] = []): Change {
  const { lastRound, round } = job
  // The requests of a first round stay for *Run again*.
  const stays = lastRound ? repeatedAsks(job) : currentAsks(job)
  const asks = job.asks.filter((ask) =>
    ask.round === round ? stays.includes(ask) : !gone.includes(ask.id),
  )
  const forget = job.asks.flatMap((ask) => (asks.includes(ask) ? [] : ask.id))
  const back = lastRound ? returned({ ...job, asks }, lastRound) : ended(job, ending, now)
  const set = { asks, isAwaited: true as const, ...back.set }
  return { ...back, set, forget, withdrawn: ending }
}

/** Returns a job whose round is withdrawn to how the round before ended, of which people know. */
function returned(job: Job, lastRound: NonNullable<Job["lastRound"]>): Change {
  const { asks, result, round } = job
  return {
    set: {
      origin: undefined,
      follows: undefined,
      note: undefined,
      ...lastRound,
      state: "ended",
      lastRound: undefined,
      // The number of a round is never used again, so the earlier round takes this one's.
      asks: asks.map((ask) => (ask.round === round - 1 ? { ...ask, round } : ask)),
      // People who were not told of its end yet still have to be.
      result: result?.round === round - 1 ? { ...result, round } : result,
    },
    due: { outbox: 0, sessions: 0 },
  }
}

/**
 * Returns a job whose round cannot go as a message to how the round before ended. Its requests wait
 * there, for the step that moves them to a new job.
 */
function waitingAgain(job: Job, lastRound: NonNullable<Job["lastRound"]>): Change {
  const { round } = job
  const asks = job.asks.map((ask) => (ask.round === round ? { ...ask, round: round + 1 } : ask))
  const back = returned({ ...job, asks }, lastRound)
  // Without the service's job, no later round tries a message again.
  return { ...back, set: { ...back.set, agentJobId: undefined, isAwaited: true } }
}

/** Stops mentioning this person; the card stays up to date. */
export function muted(job: Job, user: string): Change | undefined {
  if (job.muted.includes(user)) return undefined
  return { set: { muted: [...job.muted, user] } }
}

/** Ends a person's mute, because they ask for something in the job again. */
export function unmuted(job: Job, user: string): Job {
  return { ...job, muted: job.muted.filter((one) => one !== user) }
}

export function forgotten(job: Job, { user, ...at }: Moment & { user: string }) {
  const theirs = job.asks.filter((ask) => ask.user === user).map(({ id }) => id)
  if (theirs.length === 0) return undefined
  const found = cancelled(job, { mayCancel: (ask) => ask.user === user, ...at })
  const change: Change = typeof found === "string" ? { due: { outbox: 0 } } : found
  const asks = (change.set?.asks ?? job.asks).map((ask) =>
    ask.user === user ? { ...ask, isForgotten: true as const } : ask,
  )
  return { ...change, set: { ...change.set, asks }, forget: theirs }
}
