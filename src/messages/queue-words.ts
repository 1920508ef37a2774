import type { QueuePlace } from "../jobs/job.ts"
import type { PauseReason } from "../jobs/pause-record.ts"
import { HOUR_MS } from "../lib/time.ts"
import { FAULTS } from "./fault-words.ts"
import { anAdmin, clockTime, date } from "./mrkdwn.ts"

/**
 * Says why nothing starts.
 * @param nextTry time of the next attempt in ms, if known
 * @param month use of the month, if that is why
 */
export function pauseLine(
  reason: PauseReason,
  admins: readonly string[],
  nextTry?: number,
  month?: { used: number; most: number },
): string {
  const when = nextTry === undefined ? "" : ` · next try around ${clockTime(nextTry)}`
  // Only a person ends the others.
  const isTimed = reason === "rate_limited" || reason === "outage"
  const ends = reason === "month_full" ? untilNextMonth(admins, nextTry) : isTimed ? when : ""
  const spent = month ? ` (${month.used} of ${month.most})` : ""
  return `${FAULTS[reason].card?.(anAdmin(admins))}${spent}${ends}`
}

function untilNextMonth(admins: readonly string[], endsAt: number | undefined): string {
  if (endsAt === undefined) return ""
  return ` until ${date(endsAt, "{date_short_pretty}")}, or until ${anAdmin(admins)} allows more`
}

/** Wait in ms above which a start shows its date: a bare time could be taken for today's. */
const DATED_MS = 12 * HOUR_MS

/** Writes a start as it follows "starts", such as "around 9:30 AM". */
export function startTime(startsAt: number, now: number): string {
  return startsAt - now > DATED_MS ? date(startsAt) : `around ${clockTime(startsAt)}`
}

export function startWords({ startsAt }: QueuePlace, now: number): string {
  return startsAt === undefined ? "" : `starts ${startTime(startsAt, now)}`
}

/** Returns the position in the queue; "" if it is about to start or the queue is paused. */
export function inLine(at: QueuePlace | undefined, now: number): string {
  if (!at || at.paused || isStarting(at, now)) return ""
  if (at.place === 1) return "next in line"
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(at.place)
  return `${at.place}${{ one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" }[rule]} in line`
}

export function isStarting({ startsAt }: QueuePlace, now: number): boolean {
  return startsAt !== undefined && startsAt <= now
}

export function placeWords(place: QueuePlace | undefined, now: number): string {
  const line = inLine(place, now)
  return place && line ? [startWords(place, now), line].filter(Boolean).join(" · ") : ""
}
