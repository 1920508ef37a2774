import { DateTime, IANAZone } from "luxon"
import { type Change, FOLLOWED_MS } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import {
  awaitsPeople,
  type Job,
  linkToCard,
  oncePerPull,
  type Pull,
  touchedAt,
} from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { firstWords, shownAsks } from "../jobs/request-record.ts"
import { HOUR_MS } from "../lib/time.ts"
import { reminderMessage } from "../messages/pull-request-posts.ts"
import { orSlackError, refusalOf, SlackError } from "../slack/slack-error.ts"
import { claimKey, releaseKey } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"

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
function nextReminder(pull: Pull, days: number, zone: string): number {
  const quietSince = Math.max(touchedAt(pull), pull.remindedAt ?? 0)
  return nextReminderTime(workingDaysAfter(quietSince, days, zone) - 1, zone)
}

/** Returns of a person's own jobs those to remind them of, the longest untouched first. Pure. */
function staleAmong<Found extends { job: Job }>(
  own: readonly Found[],
  at: { now: number; days: number; zone: string },
): Found[] {
  return own
    .filter(({ job }) => isRemindable(job, at.now) && isStale(job, at))
    .toSorted((a, b) => touchedAt(a.job.pull) - touchedAt(b.job.pull))
}

/**
 * Returns whether to remind the person who asked first: they have not muted the job, nothing runs,
 * and the bot still follows the open pull request.
 */
function isRemindable({ user, pull, state, muted }: Job, now: number): boolean {
  const isFollowed = pull !== undefined && awaitsPeople(pull) && now - pull.since < FOLLOWED_MS
  return state === "ended" && isFollowed && !muted.includes(user)
}

/** Returns whether its person was reminded of the job on this day. Pure. */
function isRemindedToday({ pull }: Job, now: number, zone: string): boolean {
  const at = pull?.remindedAt
  return at !== undefined && inZone(at, zone).hasSame(inZone(now, zone), "day")
}

/** Returns whether an open pull request has had no activity for this many working days. Pure. */
export function isStale(
  { pull }: Pick<Job, "pull">,
  { now, days, zone }: { now: number; days: number; zone: string },
): boolean {
  if (days === 0 || !pull || !awaitsPeople(pull) || pull.touchedAt === undefined) return false
  return workingDaysAfter(touchedAt(pull), days, zone) <= now
}

/** Retry delay in ms while a follow-up runs, or if Slack does not return a person's time zone. */
const AGAIN_MS = HOUR_MS

/**
 * Reminds a requester of all their stale pull requests when one of them is due. Sends the message
 * before it records the reminder, because after a crash a duplicate is better than none.
 */
export function reminderPass(context: Context): Promise<number> {
  const limits = { limit: 1, leaseMs: context.settings.timing.leaseMs }
  return context.jobs.eachDue("reminders", limits, (held) => remind(context, held))
}

async function remind(context: Context, held: Held): Promise<Again> {
  const { store, slack } = context
  const { timing, reminderDays: days } = context.settings
  const { job, now } = held
  const { user, pull } = job
  if (days > 0 && pull && job.state !== "ended") return AGAIN_MS
  if (days === 0 || !pull || !isRemindable(job, now)) return "done"
  const profile = await slack.profileOf(user).catch(orSlackError)
  if (profile instanceof SlackError) return AGAIN_MS
  const zone = profile.timeZone
  const at = nextReminder(pull, days, zone)
  if (at > now) return at - now
  const tomorrow = nextReminderTime(now, zone) - now
  if (!isReminderTime(now, zone)) return tomorrow
  // Another worker may be processing another pull request of the same person.
  const reminding = key("reminding", user)
  if (!(await claimKey(store, reminding, timing.leaseMs, job.id))) return timing.leaseMs
  const again = await nameAllOf(context, held, { zone, tomorrow })
  await releaseKey(store.redis, reminding, job.id)
  return again
}

/** Names all stale pull requests of the person whose job is due. */
async function nameAllOf(
  context: Context,
  { job, now, inTime }: Held,
  { zone, tomorrow }: { zone: string; tomorrow: number },
): Promise<Again> {
  const { jobs, slack } = context
  const { timing, reminderDays: days, gitHubHost } = context.settings
  const { user } = job
  // Another worker may have named this one too, before this worker had its turn.
  const latest = (await jobs.find(job.id))?.job
  if (!latest?.pull) return "done"
  const at = nextReminder(latest.pull, days, zone)
  if (at > now) return at - now
  // A follow-up lists a colleague's job, too, whose reminder is the colleague's.
  const own = (await jobs.ofUser(user)).filter((one) => one.job.user === user)
  if (own.some((one) => isRemindedToday(one.job, now, zone))) return tomorrow
  const stale = staleAmong(own, { now, days, zone })
  if (stale.length === 0) return "done"
  const prompts = await jobs.promptsOf(stale.flatMap((one) => shownAsks(one.job)))
  const named = oncePerPull(stale).map(({ job: about }) => ({
    job: about,
    words: firstWords({ job: about, prompts }),
    card: linkToCard(slack.state, about),
  }))
  const message = reminderMessage(named, gitHubHost)
  if (!inTime()) return 0
  const error = await refusalOf(slack.outbound.direct(user, message))
  if (error?.verdict === "later") return error.retryAfterMs ?? timing.tries.unreachableMs
  const ids = new Set([job.id, ...stale.map((one) => one.job.id)])
  await Promise.all(
    [...ids].map((id) => jobs.change(id, ({ job: latest }) => reminded(latest, now))),
  )
  return tomorrow
}

function reminded({ pull }: Job, now: number): Change | undefined {
  return pull && { set: { pull: { ...pull, remindedAt: now } } }
}
