/**
 * Ends of a round: reported, given back, or withdrawn unsent because its requests were refused,
 * cancelled, forgotten or replaced; and the reply that tells people. Pure; see `change.ts`.
 */

import type { Change, Moment } from "./change.ts"
import type { Job } from "./job.ts"
import type { Ask, Ending, Round } from "./round-record.ts"
import {
  allAsks,
  currentAsks,
  currentRound,
  eachAsk,
  earlierRounds,
  repeatedAsks,
  rerunBy,
  unsentAsks,
  withCurrent,
  withoutAsks,
} from "./rounds.ts"

/** Endings that waiting follow-ups share: sending them could repeat work or be refused again. */
const SHARED: ReadonlySet<Ending> = new Set(["unknown", "refused"])

/** Ends the round. Waiting follow-ups begin once the requester has been told: see `nextRound`. */
export function ended(job: Job, ending: Ending, now: number, detail?: string): Change {
  const isShared = SHARED.has(ending)
  const asks = [...currentRound(job).asks, ...(isShared ? job.waiting : [])]
  const end = { ending, endedAt: now, detail: detail || undefined, asks }
  return {
    set: {
      state: "ended",
      rounds: withCurrent(job, end),
      waiting: isShared ? [] : job.waiting,
    },
    due: { outbox: 0, sessions: 0 },
  }
}

/**
 * Withdraws an unsent round: a first one ends the job and stays for *Run again*, a later one is
 * taken away. @param gone ids of withdrawn requests; those of the round need not be among them
 */
export function withoutRound(
  job: Job,
  ending: Ending,
  now: number,
  gone: readonly string[] = [],
): Change {
  const waiting = job.waiting.filter(({ id }) => !gone.includes(id))
  const isFirst = earlierRounds(job).length === 0
  const end = isFirst ? ended({ ...job, waiting }, ending, now) : takenAway(job, waiting)
  const left = allAsks({ ...job, ...end.set }).map(({ id }) => id)
  const forget = allAsks(job).flatMap(({ id }) => (left.includes(id) ? [] : id))
  return { ...end, set: { isAwaited: true, ...end.set }, forget, withdrawn: ending }
}

type Told = NonNullable<Round["told"]>

/** Records in this round that people were told of its end, if the job still has it. */
export function roundTold({ rounds }: Job, id: string, told: Told): Change {
  const next = rounds.map((round) => (round.id === id ? { ...round, told } : round))
  return { set: { rounds: next } }
}

/** Records that the closing reply, which is in Slack, shows something else now. */
export function closingReplyEdited(job: Job, shown: Pick<Told, "hash" | "phase">): Change {
  const { told } = currentRound(job)
  const rounds = withCurrent(job, { told: told && { ...told, ...shown } })
  return { set: { rounds, failures: 0 } }
}

/** Returns the job to how the round before ended, of which people know. */
function takenAway(job: Job, waiting: Ask[]): Change {
  const rounds = earlierRounds(job)
  return { set: { state: "ended", rounds, waiting }, due: { outbox: 0, sessions: 0 } }
}

/**
 * Takes away a round that cannot go as a message. Its requests wait in the round before, for the
 * step that moves them to a new job.
 */
export function waitingAgain(job: Job): Change | undefined {
  if (earlierRounds(job).length === 0) return undefined
  const { asks } = currentRound(job)
  const back = takenAway(job, [...asks, ...job.waiting])
  const rounds = earlierRounds(job).map((round) => ({
    ...round,
    asks: round.asks.filter(({ id }) => !asks.some((ask) => ask.id === id)),
  }))
  // Without the service's job, no later round tries a message again.
  return { ...back, set: { ...back.set, rounds, agentJobId: undefined, isAwaited: true } }
}

/** Takes requests out of every round, because another job or request has taken their place. */
export function takenOut(job: Job, ids: readonly string[]): Change {
  return { set: withoutAsks(job, ids), due: { outbox: 0 } }
}

/**
 * Takes out requests for the one that replaces them, and deletes their words if it had them. Those
 * that run again meanwhile stay, as what the agent works on.
 */
export function replaced(job: Job, ids: readonly string[]): Change {
  const isUnderWay = job.state === "creating" || job.state === "active"
  const running = isUnderWay ? currentAsks(job).map(({ id }) => id) : []
  const known = allAsks(job).map(({ id }) => id)
  const out = known.filter((id) => ids.includes(id) && !running.includes(id))
  return { ...takenOut(job, out), forget: out }
}

interface Cancelling extends Moment {
  mayCancel: (ask: Ask) => boolean
  by?: string
  /** Last of the round's requests that the person saw; later ones are not meant. */
  lastShown?: string | undefined
}

/** `too_late`: nothing is left unsent; `not_yours`: something is, which this person may not cancel. */
type NotCancelled = "too_late" | "not_yours"

/** Cancels one unsent request. */
export function cancelledAsk(
  job: Job,
  id: string,
  { mayCancel, now }: Pick<Cancelling, "mayCancel" | "now">,
): Change | NotCancelled {
  const ask = unsentAsks(job).find((one) => one.id === id)
  if (!ask) return "too_late"
  return mayCancel(ask) ? withoutCancelled(job, [ask], now) : "not_yours"
}

/**
 * Cancels all unsent requests that this person may take back. If there is none, it is also
 * `too_late` for somebody who has one in the round that was sent.
 */
export function cancelled(job: Job, wish: Cancelling): Change | NotCancelled {
  const { mayCancel, now } = wish
  const unseen = asksAfter(job, wish.lastShown)
  const unsent = unsentAsks(job).filter((ask) => !unseen.includes(ask))
  if (unsent.length === 0) return "too_late"
  const gone = takenBack(job, unsent, wish)
  if (gone.length > 0) return withoutCancelled(job, gone, now)
  return currentAsks(job).some(mayCancel) ? "too_late" : "not_yours"
}

/** Takes cancelled requests out of the job, and withdraws the round if none of its own is left. */
function withoutCancelled(job: Job, gone: readonly Ask[], now: number): Change {
  const forget = gone.map(({ id }) => id)
  if (job.state === "queued" && currentAsks(job).every((ask) => gone.includes(ask)))
    return withoutRound(job, "cancelled", now, forget)
  const set = { ...withoutAsks(job, forget), isAwaited: true as const }
  return { set, forget, withdrawn: "cancelled", due: { outbox: 0 } }
}

/** Returns the requests that joined the current round after this one; none if it is not there. */
function asksAfter(job: Job, ask: string | undefined): readonly Ask[] {
  const asks = currentAsks(job)
  const last = asks.findIndex(({ id }) => id === ask)
  return last < 0 ? [] : asks.slice(last + 1)
}

/** Returns the unsent requests that a person takes back who names none of them. */
function takenBack(job: Job, unsent: readonly Ask[], { by, mayCancel }: Cancelling): Ask[] {
  const own = unsent.filter(({ user }) => user === by)
  // An admin who has requests of their own here means these.
  const theirs = own.length > 0 ? own : unsent.filter(mayCancel)
  const repeated = isRerunOf(job, by, mayCancel) ? currentAsks(job) : []
  return unsent.filter((ask) => theirs.includes(ask) || repeated.includes(ask))
}

/**
 * Returns whether the round is this person's rerun, which they may undo for everybody whose requests
 * it repeats, unless somebody else has joined it since.
 */
function isRerunOf(job: Job, by: string | undefined, mayCancel: (ask: Ask) => boolean): boolean {
  const rerunner = rerunBy(job)
  if (rerunner === undefined || rerunner !== by) return false
  const repeated = repeatedAsks(job)
  return currentAsks(job).every((ask) => repeated.includes(ask) || mayCancel(ask))
}

export function forgotten(job: Job, { user, now }: Moment & { user: string }) {
  const theirs = allAsks(job)
    .filter((ask) => ask.user === user)
    .map(({ id }) => id)
  if (theirs.length === 0) return undefined
  const taken = cancelled(job, { mayCancel: (ask) => ask.user === user, now })
  const change: Change = typeof taken === "string" ? { due: { outbox: 0 } } : taken
  const left = eachAsk({ ...job, ...change.set }, (ask) =>
    ask.user === user ? { ...ask, isForgotten: true } : ask,
  )
  return { ...change, set: { ...change.set, ...left }, forget: theirs }
}
