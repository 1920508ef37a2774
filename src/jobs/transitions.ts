/**
 * Life cycle of a job. Every change of its rounds is here or beside it, but for the grant
 * (`store/grant-slot.ts`): `begin-round.ts`, `send-round.ts` and `end-round.ts`. Each has no effects
 * and returns a `Change`, a verdict, or `undefined` for no change. Its comment says what the change
 * does once `job-store.ts` writes it, in one step.
 */

import type { Change, Moment } from "./change.ts"
import { ended, withoutRound } from "./end-round.ts"
import type { Job } from "./job.ts"
import type { Ask } from "./round-record.ts"
import { currentAsks, currentRound, eachAsk, firstAsk, rerunBy, unsentAsks } from "./rounds.ts"

/** Names of the fields that `applied` derives from the others. */
export const DERIVED = ["user", "turnOf", "doubt", "mayStartAt"] as const

/** Returns the job after a change, with the fields that follow from the others. */
export function applied(job: Job, { set }: Change, delayMs: number): Job {
  const changed = { ...job, ...set, rev: job.rev + 1 }
  const next = unsentAsks(changed).length > 0 ? changed : { ...changed, doubt: undefined }
  const user = firstAsk(next)?.user ?? next.user
  return { ...next, user, turnOf: turnOf(next), mayStartAt: readyAt(next, delayMs) }
}

/** Returns whose turn a queued round uses: of who pressed *Run again*, or else who asked first. */
function turnOf(job: Job): string {
  if (job.state !== "queued") return job.turnOf
  return rerunBy(job) ?? currentAsks(job)[0]?.user ?? job.turnOf
}

/**
 * Returns the moment from which the round may start: its card is posted and not in doubt, all its
 * requesters are looked up, and the delay since the card and the last request is over. Undefined
 * until then.
 */
function readyAt(job: Job, delayMs: number): number | undefined {
  const { asks, at } = currentRound(job)
  const isShown = job.card !== undefined && job.doubt === undefined
  const isReady = isShown && asks.every(({ isPrepared }) => isPrepared)
  if (job.state !== "queued" || !isReady) return undefined
  const rerunAt = rerunBy(job) === undefined ? 0 : at
  return Math.max(job.cardAt ?? 0, rerunAt, ...asks.map((ask) => ask.at)) + delayMs
}

export function cardPosted(job: Job, at: Moment & { ts: string; hash: string }): Change {
  const { ts: card, hash: cardHash, now: cardAt } = at
  if (job.card !== undefined) return { set: { posting: undefined } }
  return { set: { card, cardAt, cardHash, posting: undefined }, due: { sessions: 0 } }
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
  const end = job.state === "queued" ? ended(job, "no_card", now, detail) : {}
  return { ...end, set: { ...end.set, posting: undefined } }
}

/**
 * Changes an unsent request whose message was edited. Its names, files and outsiders are looked up
 * again before it starts.
 * @param ask its id and the bytes of its new text
 * @param edited time of the edit as Slack writes it
 */
export function reworded(
  job: Job,
  ask: Pick<Ask, "id" | "bytes" | "fileBytes">,
  edited: string,
): Change {
  const asks = eachAsk(job, (known) => {
    const { isPrepared: _, fileBytes: __, ...unprepared } = known
    return known.id === ask.id ? { ...unprepared, edited, ...ask } : known
  })
  return { set: { ...asks, isAwaited: true }, due: { outbox: 0 } }
}

/** Stops mentioning this person; the card stays up to date. */
export function muted(job: Job, user: string): Change | undefined {
  if (job.muted.includes(user)) return undefined
  return { set: { muted: [...job.muted, user] } }
}

/** Ends a person's mute, because they ask for something in the job again. */
export function unmuted(job: Job, user: string): Job {
  return { ...job, muted: job.muted.filter((other) => other !== user) }
}
