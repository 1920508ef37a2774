import { DateTime, IANAZone } from "luxon"
import { z } from "zod"
import { addDays, dayOf } from "./day.ts"
import { periodBefore, type Range, rangeOf } from "./range.ts"

export const every = ["daily", "weekly", "monthly"] as const

/** The schedule of a digest, on the subscriber's clock. Weekly means Mondays, monthly the first. */
const rhythm = z.object({
  every: z.enum(every),
  hour: z.number().int().min(0).max(23),
  minute: z.number().int().min(0).max(59),
})
export type Rhythm = z.infer<typeof rhythm>

export const digest = z.object({
  channel: z.string(),
  project: z.string(),
  /** The user who subscribed the channel. */
  user: z.string(),
  /** IANA name of that user's time zone at the subscription. */
  zone: z.string().refine((zone) => IANAZone.isValidZone(zone)),
  rhythm,
})
export type Digest = z.infer<typeof digest>

const RANGES = { daily: "yesterday", weekly: "7d", monthly: "last month" } as const

/** Returns the latest whole UTC days and the period to compare them with; a single day with the same weekday before. */
export function digestRanges(kind: Rhythm["every"], now: number): { range: Range; before: Range } {
  const range = rangeOf(RANGES[kind], dayOf(now))
  const weekBefore = { from: addDays(range.from, -7), to: addDays(range.to, -7) }
  return { range, before: kind === "monthly" ? periodBefore(range) : weekBefore }
}

/**
 * Returns the first moment after `after` at which a digest is due, in ms. If daylight saving skips
 * the local time, moves it forward by the gap; if the time comes twice, takes the first.
 *
 * A monthly digest never goes out before the month is over in UTC, because its days are UTC; far
 * east of Greenwich the bot posts it on the second.
 * @param zone IANA name
 */
export function nextDigest(of: Rhythm, zone: string, after: number): number {
  const { hour, minute } = of
  const start = DateTime.fromMillis(after, { zone }).startOf("day")
  // A month and three days are longer than any wait between two digests.
  for (let days = 0; days <= 34; days++) {
    const at = start.plus({ days }).set({ hour, minute })
    if (at.toMillis() > after && isDueOn(at, of.every)) return at.toMillis()
  }
  throw new RangeError(`No ${of.every} digest was found after ${after} in ${zone}`)
}

function isDueOn(at: DateTime, kind: Rhythm["every"]): boolean {
  if (kind === "daily") return true
  if (kind === "weekly") return at.weekday === 1
  const isFirstOver = at.set({ day: 1 }).toUTC().day === 1
  return at.day === (isFirstOver ? 1 : 2)
}
