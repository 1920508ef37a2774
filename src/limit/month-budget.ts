import { ALLOWED_MORE, monthKeys, monthOf, projectOf } from "../jobs/job-keys.ts"
import { MONTH_KEPT_MS } from "../lib/time.ts"
import { currentTime, type Store } from "../store/script.ts"

/** Use of a calendar month (UTC): what this bot sent for a project, and how much it may send. */
export interface MonthBudget {
  used: number
  most: number
  /** True if an admin allowed more than `JOBS_PER_MONTH`. */
  isExtended: boolean
  /** Time in ms at which the next month begins. */
  endsAt: number
}

/**
 * Reads the month of a project. Creations and messages both count, an unclear outcome too, because
 * the service may have charged it.
 * @param jobsPerMonth `JOBS_PER_MONTH`; 0: not counted, and undefined is returned
 */
export async function readMonth(
  store: Store,
  queue: string,
  jobsPerMonth: number,
): Promise<MonthBudget | undefined> {
  if (jobsPerMonth === 0) return undefined
  const now = await currentTime(store)
  const { sent, extra } = monthKeys(projectOf(queue), monthOf(now))
  const [used, more] = await Promise.all([store.redis.zcard(sent), store.redis.scard(extra)])
  const most = jobsPerMonth + more * ALLOWED_MORE
  const date = new Date(now)
  const endsAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return { used, most, isExtended: more > 0, endsAt }
}

/** Shares of a month's requests at which admins hear of it, highest first. */
const THRESHOLDS = [1, 0.95, 0.75] as const

/**
 * Returns the highest share that the month has reached, of those that admins hear of; in an extended
 * month only its end. Pure.
 */
export function reachedShare({ used, most, isExtended }: MonthBudget): number | undefined {
  const reached = THRESHOLDS.find((share) => used >= most * share)
  return isExtended && reached !== 1 ? undefined : reached
}

/**
 * Lets more requests go in a notice's month, once for each notice, for an admin.
 * @param notice begins with the month that it is about
 * @returns false once that month is over: an old button must not spend of the next one
 */
export async function allowMore(store: Store, project: string, notice: string): Promise<boolean> {
  const month = monthOf(await currentTime(store))
  if (!notice.startsWith(`${month}.`)) return false
  const { extra } = monthKeys(project, month)
  await store.redis.sadd(extra, notice)
  await store.redis.pexpire(extra, MONTH_KEPT_MS)
  return true
}
