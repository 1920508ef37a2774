import { addDays, dayOf, firstOfMonth } from "../day.ts"
import type { Range } from "../range.ts"

export const every = ["daily", "weekly", "monthly"] as const

/** When a digest comes, on the subscriber's clock. Weekly means Mondays, monthly the first. */
export interface Rhythm {
  every: (typeof every)[number]
  hour: number
  minute: number
  /** With what readers did not find; weekly alone. */
  gaps?: true
}

/** Is it a name, or another form, of a zone that this Node knows the clock of? */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The days a digest tells about: the last whole ones before now, in UTC. */
export function digestRange(kind: Rhythm["every"], now: number): Range {
  const today = dayOf(now)
  const yesterday = addDays(today, -1)
  if (kind === "daily") return { from: yesterday, to: yesterday }
  if (kind === "weekly") return { from: addDays(today, -7), to: yesterday }
  const first = firstOfMonth(today)
  return { from: firstOfMonth(addDays(first, -1)), to: addDays(first, -1) }
}
