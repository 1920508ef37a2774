import type { QueueFacts } from "./queue-facts.ts"

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

/** The hour's quota as people ask for it. */
export interface Quota {
  used: number
  ceiling: number
  left: number
  reserved: number
  /** When a creation could start at the earliest, ms; absent: now. */
  nextFreeAt?: number
  waiting: number
  pause?: QueueFacts["pause"]
}

export function quotaOf(facts: QueueFacts, limits: HourLimits): Quota {
  const live = facts.log.filter((entry) => entry.at + limits.windowMs > facts.now)
  const left = Math.max(0, limits.jobsPerHour - live.length)
  const first = live[live.length - limits.jobsPerHour]
  return {
    used: live.length,
    ceiling: limits.jobsPerHour,
    left,
    reserved: limits.reservedSlots,
    waiting: facts.waiting.length,
    ...(left === 0 && first ? { nextFreeAt: first.at + limits.windowMs } : {}),
    ...(facts.pause ? { pause: facts.pause } : {}),
  }
}
