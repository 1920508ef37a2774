import type { QueuePlace } from "./job.ts"
import type { WaitReason } from "./outcome.ts"
import type { Pause } from "./pause.ts"
import type { QueueFacts } from "./queue-facts.ts"
import { LIGHT_USER_CREATIONS } from "./slot-store.ts"

/** Edits are scarce (50 a minute for the workspace), so a card follows only moves that matter. */
const MATTERS_MS = 5 * 60_000
const FIRST_PLACES = 5
/** The card that is next in line shows the next attempt to the minute. */
const NEXT_TRY_MATTERS_MS = 60_000

/** A time of day further away than this may be understood as that of another day. */
const FAR_MS = 12 * 3_600_000

export interface HourLimits {
  jobsPerHour: number
  reservedSlots: number
  windowMs: number
}

/**
 * Computes when each waiting job starts if nobody else asks, ms by job id, in order: each one starts as soon as
 * the creation that is a ceiling's worth before it leaves the hour. Pure. Near the reserve a start may
 * come a few minutes later than that.
 */
export function expectedStarts(facts: QueueFacts, limits: HourLimits): Map<string, number> {
  const { jobsPerHour, windowMs } = limits
  const earliest = Math.max(facts.now, facts.pause?.until ?? 0, facts.opensAt ?? 0)
  const starts = facts.log.map(({ at }) => at)
  return new Map(
    facts.waiting.map(({ id }) => {
      const before = starts[starts.length - jobsPerHour]
      const at = before === undefined ? earliest : Math.max(earliest, before + windowMs)
      starts.push(at)
      return [id, at]
    }),
  )
}

/** Place, start and pause of every waiting job. Pure. */
export function placesOf(facts: QueueFacts, limits: HourLimits): Map<string, QueuePlace> {
  const starts = expectedStarts(facts, limits)
  const pause = pauseOf(facts)
  // Nobody knows when a pause without an end is over, so no time is told.
  const endless = pausedNow(facts) !== undefined && facts.pause?.until === undefined
  return new Map(
    facts.waiting.map(({ id }, i) => {
      const startsAt = starts.get(id) ?? facts.now
      const isFar = startsAt - facts.now > FAR_MS
      const start = endless
        ? { soon: false }
        : { startsAt, ...(isFar ? { isFar: true as const } : {}), soon: startsAt <= facts.now }
      return [id, { place: i + 1, ...start, ...pause }]
    }),
  )
}

function pauseOf(facts: QueueFacts): Pick<QueuePlace, "paused" | "triedAt"> {
  const reason = pausedNow(facts)
  if (!reason) return { paused: (facts.opensAt ? "catching_up" : "") satisfies WaitReason | "" }
  const until = facts.pause?.until
  return { paused: reason, ...(until === undefined ? {} : { triedAt: until }) }
}

/** The reason nothing starts at this moment, if any. */
export function pausedNow({ pause, now }: { pause?: Pause | undefined; now: number }) {
  return pause && (pause.until === undefined || pause.until > now) ? pause.reason : undefined
}

/** Tells whether the card's place or time is too far off by now. */
export function hasMoved(shown: Partial<QueuePlace>, is: QueuePlace): boolean {
  if (shown.place === undefined || (shown.paused ?? "") !== is.paused) return true
  const inFront = Math.min(is.place, shown.place) <= FIRST_PLACES
  if (inFront && is.place !== shown.place) return true
  // While nothing starts, the card tells of the next try instead of a start.
  if (is.paused === "") return differ(shown.startsAt, is.startsAt, MATTERS_MS)
  return differ(shown.triedAt, is.triedAt, inFront ? NEXT_TRY_MATTERS_MS : MATTERS_MS)
}

function differ(shown: number | undefined, is: number | undefined, byMs: number): boolean {
  if (shown === undefined || is === undefined) return shown !== is
  return Math.abs(is - shown) > byMs
}

/** The hour's quota as a person asks for it: may I start one now, and if not, when? */
export interface Quota {
  used: number
  ceiling: number
  waiting: number
  /** The time a request of theirs would start, ms; absent: now, or nobody knows as the pause has no end. */
  startsAt?: number
  /** Set when the rest of the hour is reserved for people who have asked little. */
  isReserved?: true
  pause?: QueueFacts["pause"]
}

export function quotaOf(facts: QueueFacts, limits: HourLimits, user: string): Quota {
  const { jobsPerHour, reservedSlots, windowMs } = limits
  const live = facts.log.filter((entry) => entry.at + windowMs > facts.now)
  const own = live.filter((entry) => entry.user === user).length
  const most = own < LIGHT_USER_CREATIONS ? jobsPerHour : jobsPerHour - reservedSlots
  const isReserved = live.length >= most && live.length < jobsPerHour
  const asked = { ...facts, waiting: [...facts.waiting, { id: "" }] }
  const startsAt = expectedStarts(asked, { ...limits, jobsPerHour: most }).get("") ?? facts.now
  const isEndless = facts.pause !== undefined && facts.pause.until === undefined
  return {
    used: live.length,
    ceiling: jobsPerHour,
    waiting: facts.waiting.length,
    ...(startsAt > facts.now && !isEndless ? { startsAt } : {}),
    ...(isReserved ? { isReserved } : {}),
    ...(facts.pause ? { pause: facts.pause } : {}),
  }
}
