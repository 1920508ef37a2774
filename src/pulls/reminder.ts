import { DateTime } from "luxon"

/** People are reminded in these hours of their day. */
const [FROM, UNTIL] = [9, 17]

/**
 * When to remind somebody in this time zone, ms: this many days after the last activity, not counting
 * Saturdays and Sundays, and never at night or at the weekend. Pure.
 */
export function reminderAt(touched: number, days: number, zone: string): number {
  const known = DateTime.fromMillis(touched, { zone })
  let at = known.isValid ? known : DateTime.fromMillis(touched, { zone: "UTC" })
  for (let left = days; left > 0; ) {
    at = at.plus({ days: 1 })
    if (!at.isWeekend) left -= 1
  }
  if (at.hour >= UNTIL) at = at.plus({ days: 1 }).startOf("day")
  while (at.isWeekend) at = at.plus({ days: 1 }).startOf("day")
  return at.hour < FROM ? at.set({ hour: FROM, minute: 0, second: 0 }).toMillis() : at.toMillis()
}

/** May somebody in this zone be reminded now? Pure. */
export function isWorkingTime(now: number, zone: string): boolean {
  const at = DateTime.fromMillis(now, { zone })
  return at.isValid && !at.isWeekend && at.hour >= FROM && at.hour < UNTIL
}
