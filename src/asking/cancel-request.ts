import { CANCELLED_MS } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { cancelled, cancelledAsk } from "../jobs/end-round.ts"
import type { Job } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Ask } from "../jobs/round-record.ts"
import {
  allAsks,
  currentAsks,
  currentRound,
  endingOf,
  rerunBy,
  unsentAsks,
} from "../jobs/rounds.ts"
import { mayActOn } from "./access-rules.ts"
import { type ActionResult, ownersOf, type Refused, type Wish } from "./act-on-job.ts"

/** Maximum cancelled jobs of a person whose text stays for an hour. */
const CANCELLED_KEPT = 30

/**
 * Cancels one unsent request or, if `part` is absent or the round that waits, the person's own, or
 * else all; an admin may cancel any.
 */
export async function cancel(
  context: Context,
  { job: id, part, lastShown, user }: Wish,
): Promise<ActionResult> {
  const { jobs, settings } = context
  const mayCancel = (one: Ask) => mayActOn(settings.access, user, [one])
  const changed = await jobs.change<"too_late" | "not_yours">(id, ({ job, now }) => {
    const ask = askNamed(job, part)
    return ask === undefined
      ? cancelled(job, { mayCancel, by: user, lastShown, now })
      : cancelledAsk(job, ask, { mayCancel, now })
  })
  if (typeof changed === "object") {
    if (endingOf(changed.job) === "cancelled") await dropEarlierTexts(context, changed.job)
    return { result: "done", job: changed.job }
  }
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  return changed === "too_late"
    ? { result: "not_now", job: found.job }
    : { result: "not_yours", owners: ownersOf(found.job, askNamed(found.job, part)) }
}

/** Returns the request that a wish names; undefined if it names none, or the round that waits. */
function askNamed(job: Job, part: string | undefined): string | undefined {
  return part === currentRound(job).id ? undefined : part
}

/**
 * Deletes the texts that are too many, now that this job is cancelled: who asks and cancels all day
 * would fill Redis with prompts that stay for *Run again*.
 */
async function dropEarlierTexts({ store, jobs }: Context, job: Job): Promise<void> {
  const list = jobKeys.cancelledOf(job.user)
  await store.redis.zadd(list, currentRound(job).endedAt ?? 0, job.id)
  await store.redis.pexpire(list, CANCELLED_MS)
  for (const id of await store.redis.zrange(list, "0", `${-1 - CANCELLED_KEPT}`)) {
    await jobs.change(id, ({ job: latest }) =>
      endingOf(latest) === "cancelled"
        ? { forget: allAsks(latest).map((ask) => ask.id) }
        : undefined,
    )
    await store.redis.zrem(list, id)
  }
}

interface Unsent {
  job: string
  /** Request to cancel; absent for a rerun, which is undone for everybody whose requests it has. */
  ask?: string
  /** Request whose words name it. */
  named: string
  user: string
  at: number
}

type Cancelled = { words: string } | Refused | undefined

/**
 * Cancels the newest request of these jobs that was not sent, of this person or else, for an admin,
 * of anybody. Resolves to its words, "" if the bot no longer has them, or to undefined for none.
 */
export async function cancelNewest(
  context: Context,
  user: string,
  jobs: readonly Job[],
): Promise<Cancelled> {
  const all = jobs.flatMap((job) => unsentIn(job, user)).toSorted((a, b) => b.at - a.at)
  const isAdmin = context.settings.access.admins.includes(user)
  const newest = all.find((one) => one.user === user) ?? (isAdmin ? all[0] : undefined)
  if (!newest) return undefined
  const { job, ask, named } = newest
  const words = (await context.jobs.promptsOf([{ id: named }]))[named]?.words ?? ""
  const result = await cancel(context, { job, part: ask, user })
  return result.result === "done" ? { words } : result
}

/** Returns the requests of a job that can be taken back, with who may and since when. */
function unsentIn(job: Job, user: string): Unsent[] {
  const [first] = currentAsks(job)
  const rerun = job.state === "queued" && first && rerunBy(job) === user
  const again = { job: job.id, named: first?.id ?? "", user, at: currentRound(job).at }
  const open = rerun ? job.waiting : unsentAsks(job)
  const asks = open.map(({ id, ...ask }) => ({ ...ask, job: job.id, ask: id, named: id }))
  return rerun ? [again, ...asks] : asks
}
