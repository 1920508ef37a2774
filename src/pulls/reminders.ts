import { DateTime, IANAZone } from "luxon"
import { FOLLOWED_MS } from "../jobs/change.ts"
import { awaitsPeople, type Job, type Pull, touchedAt } from "../jobs/job.ts"

/** Hours between which the bot sends reminders, in the person's time zone. */
const [FROM, UNTIL] = [9, 17]

const inZone = (at: number, zone: string) =>
  DateTime.fromMillis(at, { zone: IANAZone.isValidZone(zone) ? zone : "UTC" })

/** Returns the time this many working days later in the zone, in ms. Pure. */
export function workingDaysAfter(at: number, days: number, zone: string): number {
  let day = inZone(at, zone)
  for (let left = days; left > 0; ) {
    day = day.plus({ days: 1 })
    if (!day.isWeekend) left -= 1
  }
  return day.toMillis()
}

export function isReminderTime(now: number, zone: string): boolean {
  const at = inZone(now, zone)
  return !at.isWeekend && at.hour >= FROM && at.hour < UNTIL
}

/** Returns when the reminder hours of a working day next begin, in ms. Pure. */
export function nextReminderTime(now: number, zone: string): number {
  const at = inZone(now, zone)
  let day = at.startOf("day").set({ hour: FROM })
  while (day.toMillis() <= now || day.isWeekend) day = day.plus({ days: 1 })
  return day.toMillis()
}

/** Returns when a quiet pull request is due for a reminder, or for the next one, in ms. Pure. */
export function nextReminder(pull: Pull, days: number, zone: string): number {
  const quietSince = Math.max(touchedAt(pull), pull.remindedAt ?? 0)
  return nextReminderTime(workingDaysAfter(quietSince, days, zone) - 1, zone)
}

/** Returns of these jobs those to remind the person of, the longest untouched first. Pure. */
export function staleAmong<Found extends { job: Job }>(
  found: readonly Found[],
  user: string,
  at: { now: number; days: number; zone: string },
): Found[] {
  return found
    .filter(({ job }) => isRemindable(job, user, at.now) && isStale(job, at))
    .toSorted((a, b) => touchedAt(a.job.pull) - touchedAt(b.job.pull))
}

/**
 * Returns whether to remind this person: they asked first and have not muted the job, nothing runs,
 * and the bot still follows the open pull request.
 */
export function isRemindable(
  { user: of, pull, state, muted }: Job,
  user: string,
  now: number,
): boolean {
  const isFollowed = pull !== undefined && awaitsPeople(pull) && now - pull.since < FOLLOWED_MS
  return of === user && state === "ended" && isFollowed && !muted.includes(user)
}

/** Returns whether an open pull request has had no activity for this many working days. Pure. */
export function isStale(
  { pull }: Pick<Job, "pull">,
  { now, days, zone }: { now: number; days: number; zone: string },
): boolean {
  if (days === 0 || !pull || !awaitsPeople(pull) || pull.touchedAt === undefined) return false
  return workingDaysAfter(touchedAt(pull), days, zone) <= now
}
