import { DateTime } from "luxon"
import { dayOf } from "../day.ts"
import type { Rhythm } from "./rhythm.ts"

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
