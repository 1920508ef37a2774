import { type AccessRules, mayActOn } from "../access/rules.ts"
import { isEnded, type Job, NOT_CONFIGURED, takesMessages, threadOf } from "./job.ts"
import type { Accepted, Full, JobStore, NewJob } from "./ports.ts"

/** What a person can do about a job, by button or by word. */
export type JobAction =
  | "cancel"
  | "check_now"
  | "check_again"
  | "stop_following"
  | "try_again"
  | "run_again"

export type JobActionResult =
  | { result: "done" }
  /** A new job was queued after this one, or had been by an earlier click. */
  | { result: "again"; job: Job }
  | ({ result: "full" } & Full)
  | { result: "not_yours"; job: Job }
  /** It no longer applies: the job is in another state by now. */
  | { result: "not_now"; job: Job }
  | { result: "recent" }
  /** The job, or the words it needs, are no longer kept. */
  | { result: "forgotten" }
  /** Its project is no longer configured. */
  | { result: "no_project" }

/** Carries out one wish about one job, for its requester or an admin. Idempotent per job and round. */
export async function actOnJob(
  { jobs, rules }: { jobs: JobStore; rules: AccessRules },
  what: JobAction,
  id: string,
  user: string,
): Promise<JobActionResult> {
  const job = await jobs.get(id)
  if (!job) return { result: "forgotten" }
  if (!mayActOn(rules, user, job.user)) return { result: "not_yours", job }
  if (what === "try_again" || what === "run_again") return again(jobs, job, user)
  return apply(jobs, what, job)
}

/** Moves a waiting job to another project, for its requester or an admin. */
export async function moveJobTo(
  { jobs, rules }: { jobs: JobStore; rules: AccessRules },
  id: string,
  user: string,
  project: string,
): Promise<JobActionResult> {
  const job = await jobs.get(id)
  if (!job) return { result: "forgotten" }
  if (!mayActOn(rules, user, job.user)) return { result: "not_yours", job }
  const moved = job.project === project || (await jobs.move(job, project))
  return moved ? { result: "done" } : { result: "not_now", job }
}

async function apply(
  jobs: JobStore,
  what: Exclude<JobAction, "try_again" | "run_again">,
  job: Job,
): Promise<JobActionResult> {
  if (what === "check_now") {
    const poll = await jobs.pollNow(job)
    if (poll === "recent") return { result: "recent" }
    return poll === "now" ? { result: "done" } : { result: "not_now", job }
  }
  const done =
    what === "cancel"
      ? await jobs.endQueued(job, "cancelled")
      : what === "stop_following"
        ? await jobs.unfollow(job)
        : await jobs.reopen(job)
  return done ? { result: "done" } : { result: "not_now", job }
}

/** Where a message went, and may go once more. What the service refused as one is asked as a job. */
function followed(job: Job): Pick<NewJob, "follows" | "prLink" | "hadPull"> {
  const { follows, prLink, hadPull } = job
  return follows !== undefined && takesMessages(job) ? { follows, prLink, hadPull } : {}
}

async function again(jobs: JobStore, job: Job, user: string): Promise<JobActionResult> {
  if (!isEnded(job)) return { result: "not_now", job }
  if (job.detail === NOT_CONFIGURED) return { result: "no_project" }
  const stored = await jobs.prompt(job.id)
  if (!stored) return { result: "forgotten" }
  // Which files the agent does not see, the requester was told the first time.
  const { unread: _, ...prompt } = stored
  const accepted: Accepted = await jobs.enqueue({
    project: job.project,
    team: job.team,
    channel: job.channel,
    user,
    thread: threadOf(job),
    asked: job.asked,
    first: job.first,
    previous: job.previous,
    ...followed(job),
    isRetry: true,
    prompt,
    // One more try for each time it ended, however many buttons are pressed.
    idempotencyKey: `again:${job.id}:${job.round}`,
    anyway: true,
  })
  if (accepted.outcome !== "full") return { result: "again", job }
  const { outcome: result, ...full } = accepted
  return { result, ...full }
}
