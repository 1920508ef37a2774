import type { QueueFacts } from "./queue-ports.ts"
import { SimulatedHour, SimulatedQueue } from "./simulated-hour.ts"

export interface HourLimits {
  jobsPerHour: number
  reservedSlots: number
  windowMs: number
}

/**
 * When each waiting job starts if nobody else asks: plays the rolling hour forward, with the same
 * rules as the store. Pure; O(n log n) in waiting jobs and creations of the hour.
 * @returns ms by job id, in the order in which they start.
 */
export function estimateStarts(facts: QueueFacts, limits: HourLimits): Map<string, number> {
  const hour = new SimulatedHour(facts.log, limits.windowMs)
  const line = new SimulatedQueue(facts.waiting, hour)
  const starts = new Map<string, number>()
  let clock = Math.max(facts.now, facts.pause?.until ?? 0, facts.opensAt ?? 0)
  while (starts.size < facts.waiting.length) {
    for (const user of hour.leave(clock)) line.reconsider(user)
    const free = limits.jobsPerHour - hour.size
    const all = free > limits.reservedSlots
    const job = free > 0 ? (all ? line.takeFirst() : line.takeFirstLight()) : undefined
    if (job) {
      starts.set(job.id, clock)
      hour.enter(clock, job.user)
      line.reconsider(job.user)
    } else clock = hour.nextLeaves()
  }
  return starts
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
