import { z } from "zod"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { isKeyFault } from "../jobs/creation-outcome.ts"
import type { Readings } from "./readings.ts"
import { addDays, type Day, dayOf, startOf } from "./utc-day.ts"

export const watchedKinds = ["human", "ai"] as const

/** A channel's alert about people or AI, on the whole site or below a path. */
export const watch = z.object({
  project: z.string(),
  of: z.enum(watchedKinds),
  filter: z.exactOptional(z.string()),
  user: z.string(),
})
export type Watch = z.infer<typeof watch>

export type Watched = Partial<Pick<Watch, "of" | "filter">>

/** Returns whether these are one alert, whoever turned it on. */
export function isSame(one: Watch, other: Watch): boolean {
  return one.project === other.project && one.of === other.of && one.filter === other.filter
}

export interface UnusualDay {
  watch: Watch
  day: Day
  visitors: number
  usual: number
}

const HALF_DAY_MS = 12 * 3_600_000
/** Number of earlier weeks with which to compare a day. */
const WEEKS = 8
const MIN_WEEKS = 4
/** Minimum change worth an alert, in visitors. */
const MIN_CHANGE = 20

/** Returns the next noon in UTC, at which the bot checks the day before. @param after in ms */
export function nextLook(after: number): number {
  return startOf(addDays(dayOf(after - HALF_DAY_MS), 1)) + HALF_DAY_MS
}

/** Returns the day to check; none before noon, when a late look would make two alerts in a day. */
export function dayToCheck(now: number): Day | undefined {
  const today = dayOf(now)
  return dayOf(nextLook(now)) === today ? undefined : addDays(today, -1)
}

/** Returns the median of earlier days if the day is unusual; days without visitors do not count. */
export function unusual(visitors: number, before: readonly number[]): number | undefined {
  const known = before.filter((count) => count > 0).toSorted((a, b) => a - b)
  if (known.length < MIN_WEEKS) return undefined
  const middle = (known.length - 1) / 2
  const median = ((known[Math.floor(middle)] ?? 0) + (known[Math.ceil(middle)] ?? 0)) / 2
  const isOdd = visitors < median / 2 || visitors > median * 2
  return isOdd && Math.abs(visitors - median) >= MIN_CHANGE ? median : undefined
}

/**
 * Returns the alerts for which a day was unusual. A fault of one project's does not hold back the
 * others for ever: only a person ends the refusal of a key, and a project that was removed is
 * passed over until it is back.
 * @param mayWait whether a later try may still find the numbers that are missing now
 * @throws DocsError if it is worth waiting for the service
 */
export async function unusualDays(
  readings: Readings,
  watches: readonly Watch[],
  day: Day,
  mayWait: boolean,
): Promise<UnusualDay[]> {
  const odd: UnusualDay[] = []
  const failed: DocsError[] = []
  for (const watch of watches) {
    const found = await unusualDay(readings, watch, day).catch(orDocsError)
    if (found instanceof DocsError) failed.push(found)
    else if (found) odd.push(found)
  }
  const passing = failed
    .filter(({ fault }) => fault !== "not_configured")
    .find(({ fault }) => odd.length === 0 || !isKeyFault(fault))
  if (passing && mayWait) throw passing
  return odd
}

async function unusualDay(
  readings: Readings,
  watch: Watch,
  day: Day,
): Promise<UnusualDay | undefined> {
  const { project, of, filter } = watch
  const counts: number[] = []
  // Reads one day after another, so that the cache keeps those read before the hour ran out.
  for (let week = 0; week <= WEEKS; week++) {
    const then = addDays(day, -7 * week)
    const range = { from: then, to: then }
    counts.push((await readings.figures(undefined, project, range, filter))[of])
  }
  const [visitors = 0, ...before] = counts
  const usual = unusual(visitors, before)
  return usual === undefined ? undefined : { watch, day, visitors, usual }
}
