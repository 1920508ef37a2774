import type { Context } from "../jobs/context.ts"
import type { Job, QueuePlace } from "../jobs/job.ts"
import { BUSY, isMessages, projectOf, queueKeys, queueOf, queuesOf } from "../jobs/job-keys.ts"
import { UNTIL_WOKEN } from "../lib/loop.ts"
import { WINDOW_MS } from "../lib/time.ts"
import { isFirst } from "../store/claims.ts"
import { HEAVY_FROM, readHour } from "../store/grant-slot.ts"
import type { Store } from "../store/script.ts"
import { type MonthBudget, readMonth } from "./month-budget.ts"
import { isEndless, type Pause, pauseOf } from "./pauses.ts"

/** Minimum shift of a start for which the bot edits the card: Slack allows 50 edits a minute. */
const MATTERS_MS = 5 * 60_000
const FIRST_PLACES = 5
/** Minimum shift of the next attempt for which the bot edits the first `FIRST_PLACES` cards. */
const NEXT_TRY_MATTERS_MS = 60_000

/** Maximum wait in ms that a new card shows as a start in a moment: no delay before a start is longer. */
const SOON_MS = 60_000

/** Maximum queued jobs with a position and an expected start; further cards show neither. */
const MAX_VIEW = 1000

export interface QueueFacts {
  now: number
  /** Times from which the slots of the rolling hour count, oldest first. */
  slots: number[]
  /** People who have so many of these that they get no reserved one. */
  heavyUsers: string[]
  /** Ids of queued jobs in the order in which they start. */
  waiting: string[]
  pause: Pause | undefined
  month: MonthBudget | undefined
}

type Limits = Context["settings"]["limits"]
type HourLimits = Pick<Limits, "jobsPerHour" | "reservedSlots">

interface Queues extends Pick<Context, "store" | "health"> {
  settings: { limits: HourLimits & Pick<Limits, "jobsPerMonth"> }
}

export async function readQueue(
  { store, health, settings }: Queues,
  queue: string,
): Promise<QueueFacts> {
  const { log, wait } = queueKeys(queue)
  const [now, slots, heavyUsers] = await readHour(store, { log }, { windowMs: WINDOW_MS })
  const [waiting, own, project, month] = await Promise.all([
    store.redis.zrange(wait, "0", String(MAX_VIEW - 1)),
    health.read(queue),
    isMessages(queue) ? health.read(projectOf(queue)) : undefined,
    readMonth(store, queue, settings.limits.jobsPerMonth),
  ])
  // A pause without an end applies to the project's messages, too.
  const pause = pauseOf(project && isEndless(project.until) ? project : own, now)
  return {
    now,
    slots,
    heavyUsers,
    waiting,
    pause: pause ?? (month && monthPause(month)),
    month,
  }
}

/** Returns the pause of a month whose requests are used up: it ends with the month at the latest. */
function monthPause({ used, most, endsAt }: MonthBudget): Pause | undefined {
  return used >= most ? { reason: "month_full", until: endsAt } : undefined
}

/**
 * Computes when each queued job starts if nobody else asks, in ms by job id, in order. With a limit
 * of N, a job starts when the slot N positions before it leaves the rolling hour. Near the
 * reserve, a start may come a few minutes later. Pure.
 * @param most the number of slots that the hour has
 */
export function expectedStarts(facts: QueueFacts, most: number): Map<string, number> {
  const earliest = Math.max(facts.now, facts.pause?.until ?? 0)
  const starts = [...facts.slots]
  return new Map(
    facts.waiting.map((id) => {
      const before = starts[starts.length - most]
      const at = before === undefined ? earliest : Math.max(earliest, before + WINDOW_MS)
      starts.push(at)
      return [id, at]
    }),
  )
}

/** Returns how many slots one person can have in an hour: the first few may be reserved ones. */
function mostOfOne({ jobsPerHour, reservedSlots }: HourLimits): number {
  return Math.max(jobsPerHour - reservedSlots, Math.min(jobsPerHour, HEAVY_FROM))
}

/** Returns the use of a month that holds the queue back. */
function fullMonth({ pause, month }: QueueFacts): Pick<QueuePlace, "month"> {
  if (pause?.reason !== "month_full" || !month) return {}
  return { month: { used: month.used, most: month.most } }
}

/** Makes the look-up of a job's place in a queue; it returns undefined if the job isn't there. */
export function placesOf(facts: QueueFacts, limits: HourLimits) {
  const { now, waiting, pause } = facts
  const starts = expectedStarts(facts, limits.jobsPerHour)
  const startsOfHeavyUsers = expectedStarts(facts, mostOfOne(limits))
  return ({ id, turnOf }: Pick<Job, "id" | "turnOf">): QueuePlace | undefined => {
    const place = waiting.indexOf(id) + 1
    if (place === 0) return undefined
    if (pause) return { place, paused: pause.reason, startsAt: pause.until, ...fullMonth(facts) }
    const isHeavy = facts.heavyUsers.includes(turnOf)
    const startsAt = (isHeavy ? startsOfHeavyUsers : starts).get(id) ?? now
    return { place, paused: "", startsAt }
  }
}

/**
 * Returns the place of a queued job whose card does not show one yet, if it has to wait for more than
 * its delay: while the hour is spent, say, from its first post on.
 */
export async function placeIfWaiting(context: Queues, job: Job): Promise<QueuePlace | undefined> {
  if (job.state !== "queued" || job.place) return undefined
  const facts = await readQueue(context, queueOf(job))
  const place = placesOf(facts, context.settings.limits)(job)
  if (!place || place.paused === "removed") return undefined
  const isSoon = place.startsAt !== undefined && place.startsAt <= facts.now + SOON_MS
  return place.paused !== "" || !isSoon ? place : undefined
}

/** Returns whether the position or time on the card has become too inaccurate. */
export function hasMoved(shown: Partial<QueuePlace>, current: QueuePlace): boolean {
  if (shown.place === undefined || shown.paused !== current.paused) return true
  if (shown.month?.most !== current.month?.most) return true
  const inFront = Math.min(current.place, shown.place) <= FIRST_PLACES
  if (inFront && current.place !== shown.place) return true
  const isNextTry = current.paused !== "" && inFront
  const [from, to] = [shown.startsAt, current.startsAt]
  if (from === undefined || to === undefined) return from !== to
  return Math.abs(to - from) > (isNextTry ? NEXT_TRY_MATTERS_MS : MATTERS_MS)
}

/**
 * Returns the use of the rolling hour and the start of this person's next request; that is absent
 * if the request would start now, or if the pause has no end. `reservedBelow`: number of
 * slots in the hour below which people may use the rest of it, if that is reserved.
 * @param ahead number of queued jobs before that request in the fair order
 */
export function quotaOf(facts: QueueFacts, limits: HourLimits, user: string, ahead: number) {
  const { jobsPerHour } = limits
  const used = facts.slots.length
  const most = facts.heavyUsers.includes(user) ? mostOfOne(limits) : jobsPerHour
  const asked = { ...facts, waiting: facts.waiting.toSpliced(ahead, 0, "") }
  const startsAt = expectedStarts(asked, most).get("") ?? facts.now
  return {
    used,
    ceiling: jobsPerHour,
    waiting: facts.waiting.length,
    startsAt: startsAt > facts.now ? startsAt : undefined,
    reservedBelow: used >= most && used < jobsPerHour ? HEAVY_FROM : undefined,
    pause: facts.pause,
    month: facts.month,
  }
}

/** Time in ms after its expected start at which a card says that its project was removed. */
const REMOVED_AFTER_MS = 60_000

/** Records the place of each job whose card is out of date. Only one process at a time does so. */
export async function refreshPass(context: Context): Promise<number> {
  const { store, jobs, settings } = context
  const restMs = settings.timing.careMs
  const busy = await store.redis.smembers(BUSY)
  if (busy.length === 0) return UNTIL_WOKEN
  // Expires a little before the next pass, so that the same process can do that one as well.
  if (!(await isFirst(store, "refresh", Math.ceil(restMs * 0.8)))) return restMs
  for (const queue of busy) {
    const facts = await readQueue(context, queue)
    const placeOf = placesOf(facts, settings.limits)
    const isRemoved = facts.pause?.reason === "removed"
    const waiting = await jobs.findAll(facts.waiting)
    for (const { job, now } of waiting) {
      const place = placeOf(job)
      const isDelayed = job.mayStartAt === undefined || job.mayStartAt > now
      if (!place || job.card === undefined || isDelayed || !hasMoved(job.place ?? {}, place))
        continue
      // While processes are replaced, another one may still have the project and start the job.
      const promised = job.place?.startsAt ?? job.mayStartAt ?? now
      if (isRemoved && now - promised < REMOVED_AFTER_MS) continue
      await jobs.change(job.id, ({ job: latest }) =>
        latest.state === "queued" ? { set: { place }, due: { outbox: 0 } } : undefined,
      )
    }
  }
  return restMs
}

/**
 * Counts a project's requests and follow-ups that wait in its queues and, if asked to, those that
 * are being sent: one that was refused is among these until it is back in its queue.
 */
export async function countUnsent(
  { redis }: Store,
  project: string,
  states: readonly ("wait" | "creating")[] = ["wait", "creating"],
): Promise<number> {
  const sets = queuesOf([project]).flatMap((queue) => states.map((set) => queueKeys(queue)[set]))
  // In one step, because a request that moves from one set to another counts once.
  const counts = await redis.multi(sets.map((set) => ["zcard", set])).exec()
  return (counts ?? []).reduce((sum, [, count]) => sum + Number(count), 0)
}
