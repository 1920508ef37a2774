/** Withdrawal of requests: refused, cancelled, or forgotten with their person. Pure. */

import type { Change } from "./change.ts"
import { withoutRound } from "./end-round.ts"
import type { Job } from "./job.ts"
import type { Ask, Note } from "./round.ts"
import {
  allAsks,
  currentAsks,
  currentRound,
  eachAsk,
  repeatedAsks,
  rerunBy,
  withCurrent,
} from "./rounds.ts"
import type { Moment } from "./transitions.ts"

interface Prepared extends Moment {
  allowed: readonly Pick<Ask, "id" | "bytes" | "fileBytes">[]
  refused: readonly string[]
  note?: Note | undefined
}

/** Marks allowed requests as prepared and removes refused ones; withdraws an emptied round. */
export function prepared(job: Job, { allowed, refused, note, now }: Prepared): Change {
  const marked = eachAsk(job, (ask) => {
    const found = allowed.find(({ id }) => id === ask.id)
    return found ? { ...ask, ...found, isPrepared: true } : ask
  })
  const left = eachAsk(marked, (ask) => (refused.includes(ask.id) ? undefined : ask))
  if (refused.length > 0 && job.state === "queued" && currentAsks(left).length === 0)
    return withoutRound({ ...job, ...marked }, "not_allowed", now, refused)
  const rounds = withCurrent(left, { note: note ?? currentRound(job).note })
  const set = { ...left, rounds }
  return { set, forget: refused, withdrawn: "not_allowed", due: { outbox: 0 } }
}

interface Cancelling extends Moment {
  mayCancel: (ask: Ask) => boolean
  by?: string
  id?: string | undefined
}

/** Cancels unsent requests. `too_late`: none of theirs is left; `not_yours`: none was theirs. */
export function cancelled(job: Job, wish: Cancelling): Change | "too_late" | "not_yours" {
  const { mayCancel, by, id, now } = wish
  const current = currentAsks(job)
  const isQueued = job.state === "queued"
  const open = [...(isQueued ? current : []), ...job.waiting]
  const meant = open.filter((ask) => id === undefined || ask.id === id)
  if (meant.length === 0) return "too_late"
  const isUndone = id === undefined && isRerunOf(job, by, mayCancel)
  // An admin who has requests of their own here means these.
  const own = meant.filter(({ user }) => id === undefined && user === by)
  const isTheirs = own.length > 0 ? (ask: Ask) => own.includes(ask) : mayCancel
  const gone = meant.filter((ask) => isTheirs(ask) || (isUndone && current.includes(ask)))
  if (gone.length === 0)
    return id === undefined && current.some(mayCancel) ? "too_late" : "not_yours"
  const forget = gone.map((ask) => ask.id)
  if (isQueued && current.every((ask) => gone.includes(ask)))
    return withoutRound(job, "cancelled", now, forget)
  const left = eachAsk(job, (ask) => (forget.includes(ask.id) ? undefined : ask))
  return {
    set: { ...left, isAwaited: true },
    forget,
    withdrawn: "cancelled",
    due: { outbox: 0 },
  }
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

export function forgotten(job: Job, { user, ...at }: Moment & { user: string }) {
  const theirs = allAsks(job)
    .filter((ask) => ask.user === user)
    .map(({ id }) => id)
  if (theirs.length === 0) return undefined
  const found = cancelled(job, { mayCancel: (ask) => ask.user === user, ...at })
  const change: Change = typeof found === "string" ? { due: { outbox: 0 } } : found
  const left = eachAsk({ ...job, ...change.set } as Job, (ask) =>
    ask.user === user ? { ...ask, isForgotten: true } : ask,
  )
  return { ...change, set: { ...change.set, ...left }, forget: theirs }
}
