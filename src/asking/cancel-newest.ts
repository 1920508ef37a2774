import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import { currentAsks, currentRound, rerunBy } from "../jobs/rounds.ts"
import { type ActionResult, cancel } from "./act-on-job.ts"

interface Unsent {
  job: string
  /** Request to cancel; absent for a rerun, which is undone for everybody whose requests it has. */
  ask?: string
  /** Request whose words name it. */
  named: string
  user: string
  at: number
}

type Cancelled = { words: string } | Exclude<ActionResult, { result: "done" }> | undefined

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
  const isQueued = job.state === "queued"
  const [first] = currentAsks(job)
  const rerun = isQueued && first && rerunBy(job) === user
  const again = { job: job.id, named: first?.id ?? "", user, at: currentRound(job).at }
  const open = [...(isQueued && !rerun ? currentAsks(job) : []), ...job.waiting]
  const asks = open.map(({ id, ...ask }) => ({ ...ask, job: job.id, ask: id, named: id }))
  return rerun ? [again, ...asks] : asks
}
