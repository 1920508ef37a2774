/**
 * Changes of a round before it is sent: its requests are looked up or reworded, and its card is
 * posted, or compared if Redis may be older than Slack. Pure; see `change.ts`.
 */

import type { Change, Moment } from "./change.ts"
import { ended, withoutRound } from "./end-round.ts"
import type { Job } from "./job.ts"
import type { Ask } from "./round-record.ts"
import {
  bytesOf,
  currentAsks,
  currentRound,
  eachAsk,
  MAX_ROUND_BYTES,
  sentWith,
  unsentAsks,
  withCurrent,
  withoutAsks,
} from "./rounds.ts"

interface Prepared extends Moment {
  allowed: readonly Pick<Ask, "id" | "bytes" | "fileBytes" | "note">[]
  refused: readonly string[]
  /** Reason why the refused ones are not sent. */
  ending?: "not_allowed" | "unreadable"
  manyWait?: true | undefined
}

/** Marks allowed requests as prepared and removes refused ones; withdraws an emptied round. */
export function prepared(job: Job, read: Prepared): Change {
  const { allowed, refused, ending = "not_allowed", now } = read
  const marked = eachAsk(job, (ask) => {
    const found = allowed.find(({ id }) => id === ask.id)
    return found ? { ...ask, ...found, isPrepared: true } : ask
  })
  const left = withoutAsks(marked, refused)
  if (refused.length > 0 && job.state === "queued" && currentAsks(left).length === 0)
    return withoutRound({ ...job, ...marked }, ending, now, refused)
  const { manyWait = currentRound(job).manyWait } = read
  const rounds = withCurrent(left, { manyWait })
  const set = { ...left, rounds }
  return { set, forget: refused, withdrawn: ending, due: { outbox: 0 } }
}

/**
 * Changes an unsent request whose message was edited. Its names, files and outsiders are looked up
 * again before it starts.
 * @param ask its id, the bytes of its new text and the time of the edit
 * @returns `too_long` if its round takes no more bytes
 */
export function reworded(
  job: Job,
  ask: Pick<Ask, "id" | "bytes" | "fileBytes" | "edited">,
): Change | "too_long" {
  const asks = eachAsk(job, (known) => {
    const { isPrepared: _, fileBytes: __, ...unprepared } = known
    return known.id === ask.id ? { ...unprepared, ...ask } : known
  })
  if (bytesOf(sentWith(asks, ask.id)) > MAX_ROUND_BYTES) return "too_long"
  return { set: { ...asks, isAwaited: true }, due: { outbox: 0 } }
}

export function cardPosted(job: Job, at: Moment & { ts: string; hash: string }): Change {
  const { ts: card, hash: cardHash, now: cardAt } = at
  if (job.card !== undefined) return {}
  return { set: { card, cardAt, cardHash }, due: { sessions: 0 } }
}

/** Holds back what waits until its card is compared, because Redis may be older than Slack. */
export function doubted(job: Job): Change | undefined {
  return unsentAsks(job).length > 0 ? { set: { doubt: "open" }, due: { outbox: 0 } } : undefined
}

/**
 * Ends a doubt. What no longer waits in Slack may have been sent, unless its card says that it was
 * cancelled, so it is not sent again; what waits for the end of another round stays in doubt until
 * its turn.
 * @param posting `card` if the card is in Slack, and only the record lacks it
 */
export function compared(
  job: Job,
  { shows, posting = job.posting, now }: Moment & Compared,
): Change {
  if (shows === "waiting") return { set: { doubt: undefined, posting }, due: { outbox: 0 } }
  if (job.state !== "queued") return { set: { doubt: "stale", posting }, due: { outbox: 0 } }
  const isCancelled = shows === "cancelled"
  const end = isCancelled ? withoutRound(job, "cancelled", now) : ended(job, "unknown", now)
  return { ...end, set: { ...end.set, posting } }
}

/** State of an unsent round, by its card. */
export interface Compared {
  shows: "waiting" | "cancelled" | "unclear"
  posting?: string | undefined
}

/** Ends a job without starting it, because the bot could not post its card. */
export function notPosted(job: Job, { detail, now }: { detail: string; now: number }): Change {
  return job.state === "queued" ? ended(job, "no_card", now, detail) : {}
}
