import type { HourLimits } from "../../src/jobs/estimate.ts"
import type { QueueFacts } from "../../src/jobs/queue-ports.ts"
import { LIGHT_USER_CREATIONS } from "../../src/jobs/simulated-hour.ts"

/** The rules of the hour in the shortest form, in O(waiting × hour): what the quick one is held to. */
export function slowEstimate(facts: QueueFacts, limits: HourLimits): Map<string, number> {
  const log = [...facts.log]
  const waiting = [...facts.waiting]
  const starts = new Map<string, number>()
  let clock = Math.max(facts.now, facts.pause?.until ?? facts.now)
  while (waiting.length > 0) {
    const live = log.filter((entry) => entry.at + limits.windowMs > clock)
    const free = limits.jobsPerHour - live.length
    const isLight = ({ user }: { user: string }) =>
      live.filter((entry) => entry.user === user).length < LIGHT_USER_CREATIONS
    const next =
      free > limits.reservedSlots ? waiting[0] : free > 0 ? waiting.find(isLight) : undefined
    if (next) {
      waiting.splice(waiting.indexOf(next), 1)
      starts.set(next.id, clock)
      log.push({ at: clock, user: next.user })
    } else {
      clock = Math.min(...live.map((entry) => entry.at)) + limits.windowMs
    }
  }
  return starts
}
