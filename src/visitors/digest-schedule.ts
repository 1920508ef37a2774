import { DateTime, IANAZone } from "luxon"
import { addDays, dayOf, firstOfMonth } from "./day.ts"
import type { Range } from "./range.ts"

export const every = ["daily", "weekly", "monthly"] as const

/** When a digest comes, on the subscriber's clock. Weekly means Mondays, monthly the first. */
export interface Rhythm {
  every: (typeof every)[number]
  hour: number
  minute: number
}

export function isZone(zone: string): boolean {
  return IANAZone.isValidZone(zone)
}

/**
 * The first moment after `after` at which a digest is due, ms. A local time that a daylight-saving
 * change leaves out is moved forward by the gap; one that comes twice means the first.
 *
 * A monthly digest never comes before the month is over in UTC, because its days are UTC: far east
 * of Greenwich it comes on the second.
 * @param zone IANA name
 */
export function nextDigest(rhythm: Rhythm, zone: string, after: number): number {
  const start = DateTime.fromMillis(after, { zone }).startOf("day").minus({ days: 1 })
  // A month and three days reach past every gap between two digests.
  for (let day = 0; day <= 34; day++) {
    const at = momentOn(start.plus({ days: day }), rhythm)
    if (at > after) return at
  }
  throw new RangeError(`No ${rhythm.every} digest was found after ${after} in ${zone}`)
}

/** The digest of a local day, or -Infinity when none is due that day. */
function momentOn(day: DateTime, { every: kind, hour, minute }: Rhythm): number {
  const at = (date: DateTime) => date.set({ hour, minute }).toMillis()
  if (kind === "daily") return at(day)
  if (kind === "weekly") return day.weekday === 1 ? at(day) : Number.NEGATIVE_INFINITY
  const first = day.set({ day: 1 })
  const closed = dayOf(at(first)).slice(0, 7) === first.toFormat("yyyy-MM")
  return day.day === (closed ? 1 : 2) ? at(day) : Number.NEGATIVE_INFINITY
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
