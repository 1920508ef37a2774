import type { JobsDeps } from "../deps.ts"
import type { Job, QueuePlace } from "../job.ts"
import type { Pause, WaitReason } from "../trouble/pause.ts"
import type { QueueFacts } from "./queue-facts.ts"

/** Number of creations in the hour below which a person may use its reserved slots. */
export const LIGHT_USER_CREATIONS = 5
/** Minimum shift of a start for which the bot edits the card: Slack allows 50 edits a minute. */
const MATTERS_MS = 5 * 60_000
const FIRST_PLACES = 5
/** Minimum shift of the next attempt for which the bot edits the first `FIRST_PLACES` cards. */
const NEXT_TRY_MATTERS_MS = 60_000

type HourLimits = Pick<JobsDeps["limits"], "jobsPerHour" | "reservedSlots" | "windowMs">

/**
 * Computes when each queued job starts if nobody else asks, in ms by job id, in order. With a limit
 * of N, a job starts when the creation N positions before it leaves the rolling hour. Near the
 * reserve, a start may come a few minutes later. Pure.
 * @param most the number of creations that the hour has room for
 */
export function expectedStarts(
  facts: QueueFacts,
  { windowMs }: Pick<HourLimits, "windowMs">,
  most: number,
): Map<string, number> {
  const earliest = Math.max(facts.now, facts.pause?.until ?? 0, facts.opensAt ?? 0)
  const starts = facts.log.map(({ at }) => at)
  return new Map(
    facts.waiting.map((id) => {
      const before = starts[starts.length - most]
      const at = before === undefined ? earliest : Math.max(earliest, before + windowMs)
      starts.push(at)
      return [id, at]
    }),
  )
}

/** Makes the look-up of a job's place in a queue; it returns undefined if the job isn't there. */
export function placesOf(facts: QueueFacts, limits: HourLimits) {
  const { now, waiting } = facts
  const rooms = [limits.jobsPerHour, roomBesideReserve(limits)]
  const [all, unreserved] = rooms.map((most) => expectedStarts(facts, limits, most))
  const pause = pausedPlace(facts)
  // A pause without an end has no known time, so the card names none.
  const endless = pausedNow(facts) !== undefined && facts.pause?.until === undefined
  return ({ id, turnOf }: Pick<Job, "id" | "turnOf">): QueuePlace | undefined => {
    const place = waiting.indexOf(id) + 1
    if (place === 0) return undefined
    const startsAt = (isLight(facts, limits, turnOf) ? all : unreserved)?.get(id) ?? now
    return { place, ...(endless ? {} : { startsAt }), ...pause }
  }
}

/** Returns how many creations of an hour are open to everybody. */
function roomBesideReserve({ jobsPerHour, reservedSlots }: HourLimits): number {
  return Math.max(1, jobsPerHour - reservedSlots)
}

/** Returns whether this person may use the reserved slots, as `isAllowed` in `store/reserve.ts`. */
function isLight({ log, now }: QueueFacts, { windowMs }: HourLimits, user: string): boolean {
  const own = log.filter((entry) => entry.user === user && entry.at + windowMs > now)
  return own.length < LIGHT_USER_CREATIONS
}

function pausedPlace(facts: QueueFacts): Pick<QueuePlace, "paused" | "triedAt"> {
  const reason = pausedNow(facts)
  if (!reason) return { paused: (facts.opensAt ? "catching_up" : "") satisfies WaitReason | "" }
  const until = facts.pause?.until
  return { paused: reason, ...(until === undefined ? {} : { triedAt: until }) }
}

export function pausedNow({ pause, now }: { pause?: Pause | undefined; now: number }) {
  return pause && (pause.until === undefined || pause.until > now) ? pause.reason : undefined
}

/** Returns whether the position or time on the card has become too inaccurate. */
export function hasMoved(shown: Partial<QueuePlace>, is: QueuePlace): boolean {
  if (shown.place === undefined || (shown.paused ?? "") !== is.paused) return true
  const inFront = Math.min(is.place, shown.place) <= FIRST_PLACES
  if (inFront && is.place !== shown.place) return true
  // While the queue is paused, the card shows the next attempt instead of a start.
  if (is.paused === "") return differ(shown.startsAt, is.startsAt, MATTERS_MS)
  return differ(shown.triedAt, is.triedAt, inFront ? NEXT_TRY_MATTERS_MS : MATTERS_MS)
}

function differ(shown: number | undefined, is: number | undefined, byMs: number): boolean {
  if (shown === undefined || is === undefined) return shown !== is
  return Math.abs(is - shown) > byMs
}

/** Use of the rolling hour, and the start of one person's next request. */
export interface Quota {
  used: number
  ceiling: number
  waiting: number
  /** Start of that request; absent if it would start now, or if the pause has no end. */
  startsAt?: number
  /** Set if the rest of the hour is reserved for people with fewer creations. */
  isReserved?: true
  pause?: QueueFacts["pause"]
}

export function quotaOf(facts: QueueFacts, limits: HourLimits, user: string): Quota {
  const { jobsPerHour, windowMs } = limits
  const live = facts.log.filter((entry) => entry.at + windowMs > facts.now)
  const most = isLight(facts, limits, user) ? jobsPerHour : roomBesideReserve(limits)
  const isReserved = live.length >= most && live.length < jobsPerHour
  const asked = { ...facts, waiting: [...facts.waiting, ""] }
  const startsAt = expectedStarts(asked, limits, most).get("") ?? facts.now
  return {
    used: live.length,
    ceiling: jobsPerHour,
    waiting: facts.waiting.length,
    ...(startsAt > facts.now ? { startsAt } : {}),
    ...(isReserved ? { isReserved } : {}),
    ...(facts.pause ? { pause: facts.pause } : {}),
  }
}
