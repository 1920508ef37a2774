const UNITS: readonly [ms: number, one: string, many: string][] = [
  [86_400_000, "a day", "days"],
  [3_600_000, "an hour", "hours"],
  [60_000, "a minute", "minutes"],
]

/** How long something took, as people say it: "a day", "3 hours". @param ms at least 0 */
export function durationWords(ms: number): string {
  for (const [unit, one, many] of UNITS) {
    const count = Math.round(ms / unit)
    if (count >= 1) return count === 1 ? one : `${count} ${many}`
  }
  return "less than a minute"
}
