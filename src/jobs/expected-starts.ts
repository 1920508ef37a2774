import type { QueueFacts } from "./queue-facts.ts"
import { LIGHT_USER_CREATIONS } from "./slot-store.ts"

export interface HourLimits {
  jobsPerHour: number
  reservedSlots: number
  windowMs: number
}

/**
 * When each waiting job starts if nobody else asks, ms by job id, in order: each one starts as soon as
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

/** The hour's quota as a person asks for it: may I start one now, and if not, when? */
export interface Quota {
  used: number
  ceiling: number
  waiting: number
  /** When a request of theirs would start, ms; absent: now, or nobody knows as the pause has no end. */
  startsAt?: number
  /** The rest of the hour is reserved for people who have asked little. */
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
