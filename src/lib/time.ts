export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** A rolling hour in ms, 5 s longer than an hour because clocks may be slewed. */
export const WINDOW_MS = HOUR_MS + 5_000
/** Time in ms for which Slack accepts a response_url, for at most five answers. */
export const RESPONSE_URL_MS = 30 * 60_000
/** Time in ms for which a month's count is kept after its latest change. */
export const MONTH_KEPT_MS = 40 * DAY_MS
/** Maximum of a pause that ends by itself in ms, as of another party's Retry-After. */
export const LONGEST_PAUSE_MS = 3_600_000

/**
 * Starts measuring; the result returns the elapsed ms. Uses two clocks, because a sleeping machine
 * stops one and an operator may set the other. The larger value counts: giving up a grant or a
 * lease too early is safe, using it too late is not.
 */
export function stopwatch(): () => number {
  const wall = Date.now()
  const steady = performance.now()
  return () => Math.max(Date.now() - wall, performance.now() - steady)
}

/** Returns the work's result, or `instead` as soon as the signal aborts. The work continues. */
export function raceAbort<T, Instead>(
  work: Promise<T>,
  signal: AbortSignal,
  instead: Instead,
): Promise<T | Instead> {
  return new Promise((resolve, reject) => {
    const give = () => resolve(instead)
    if (signal.aborted) give()
    signal.addEventListener("abort", give, { once: true })
    const done = () => signal.removeEventListener("abort", give)
    work.then(resolve, reject).finally(done).catch(reject)
  })
}

/** UTC day as `YYYY-MM-DD`; days compare as strings. */
export type Day = string

export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10)
}

export function startOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function addDays(day: Day, days: number): Day {
  return dayOf(startOf(day) + days * DAY_MS)
}
