import type { QueueFacts } from "./ports.ts"

export interface HourLimits {
  jobsPerHour: number
  reservedSlots: number
  windowMs: number
}

/** Near the ceiling only people with fewer creations in the hour than this are served. */
export const LIGHT_USER_CREATIONS = 5

/**
 * When each waiting job starts if nobody else asks: plays the rolling hour forward, with the same
 * rules as the store. Pure; O(waiting × ceiling).
 * @returns ms by job id, in the order of the queue.
 */
export function estimateStarts(facts: QueueFacts, limits: HourLimits): Map<string, number> {
  const log = facts.log.map(({ at, user }) => ({ at, user }))
  const waiting = [...facts.waiting]
  const starts = new Map<string, number>()
  let clock = Math.max(facts.now, facts.pause?.until ?? facts.now)
  while (waiting.length > 0) {
    const live = log.filter((entry) => entry.at + limits.windowMs > clock)
    const free = limits.jobsPerHour - live.length
    const next = free > 0 ? pick(waiting, live, free <= limits.reservedSlots) : -1
    const [job] = next >= 0 ? waiting.splice(next, 1) : []
    if (job) {
      starts.set(job.id, clock)
      log.push({ at: clock, user: job.user })
    } else {
      clock = Math.min(...live.map((entry) => entry.at)) + limits.windowMs
    }
  }
  return starts
}

function pick(waiting: QueueFacts["waiting"], live: QueueFacts["log"], onlyLight: boolean): number {
  if (!onlyLight) return 0
  const spent = new Map<string, number>()
  for (const { user } of live) spent.set(user, (spent.get(user) ?? 0) + 1)
  return waiting.findIndex(({ user }) => (spent.get(user) ?? 0) < LIGHT_USER_CREATIONS)
}

/** The hour's quota as people ask for it. */
export interface Quota {
  used: number
  ceiling: number
  left: number
  reserved: number
  /** When a creation could start at the earliest; absent: now. */
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
