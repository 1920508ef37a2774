import { type AccessRules, mayActOn } from "../access/rules.ts"
import { isEnded, type Job } from "./job.ts"
import type { JobStore } from "./ports.ts"

/** Slack's own Stop button, pressed in a job's thread. */
interface Stop {
  user: string
  /** When, as Slack counts: a timestamp like those of messages. */
  at: string
  /** Jobs of the thread that were not over when last looked at. */
  ids: readonly string[]
}

/** What it meant for one job. */
export interface Stopped {
  job: Job
  result:
    | "cancelled"
    /** It runs, and the service cannot cancel it: the bot only stopped following it. */
    | "unfollowed"
    /** Its creation is on its way. */
    | "starting"
    | "ended"
    | "not_yours"
}

/**
 * Stops the thread's jobs as far as they can be stopped, for their requesters and admins. Slack delivers
 * events up to a day late, so jobs requested after the button was pressed are left alone.
 */
export async function stopJobs(
  { jobs, rules }: { jobs: JobStore; rules: AccessRules },
  { user, at, ids }: Stop,
): Promise<Stopped[]> {
  const found = await Promise.all([...new Set(ids)].map((id) => jobs.get(id)))
  const meant = found.filter((job) => job !== undefined).filter((job) => wasShown(job, at))
  return Promise.all(
    meant.map(async (job) => ({ job, result: await stopOne({ jobs, rules }, job, user) })),
  )
}

/** Did it have a card by then? Both are Slack timestamps. */
function wasShown({ card }: Job, at: string): boolean {
  return card !== undefined && Number(card) <= Number(at)
}

async function stopOne(
  { jobs, rules }: { jobs: JobStore; rules: AccessRules },
  job: Job,
  user: string,
): Promise<Stopped["result"]> {
  if (isEnded(job)) return "ended"
  if (!mayActOn(rules, user, job.user)) return "not_yours"
  if (job.state === "queued" && (await jobs.endQueued(job, "cancelled"))) return "cancelled"
  // It may have been started meanwhile.
  if (await jobs.unfollow(job)) return "unfollowed"
  const now = await jobs.get(job.id)
  return now && !isEnded(now) ? "starting" : "ended"
}
