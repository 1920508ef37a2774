import { isOver, type Job } from "../jobs/job.ts"
import { allAsks, endingOf } from "../jobs/rounds.ts"

/**
 * Chooses the job of a follow-up in a thread with several open pull requests: the speaker's own, the
 * one whose reply stands last, because that says how to change it. Pure.
 * @param jobs the thread's jobs of the project, newest first
 * @returns jobs to choose from for a speaker who has asked for nothing here; undefined if the
 * thread has not several, so that its latest job is meant
 */
export function choosePull(jobs: readonly Job[], user: string): Job | readonly Job[] | undefined {
  const open = jobs.filter(isOpen)
  if (open.length < 2) return undefined
  const asked = (job: Job) => allAsks(job).some((ask) => ask.user === user)
  const own = open.filter(asked)
  if (own.length > 0) return lastReplied(own)
  const linked = open.filter(({ prLink }) => prLink !== undefined)
  if (jobs.some(asked) || linked.length < 2) return lastReplied(open)
  return linked
}

/** Returns whether the job has, or may still open, a pull request that takes changes. */
function isOpen(job: Job): boolean {
  if (job.state !== "ended") return true
  return endingOf(job) === "pull_request" && !isOver(job.pull?.state)
}

function lastReplied(jobs: readonly Job[]): Job | undefined {
  return jobs.toSorted((a, b) => repliedAt(b) - repliedAt(a))[0]
}

function repliedAt({ rounds }: Job): number {
  return Math.max(0, ...rounds.map(({ told }) => Number(told?.ts ?? 0)))
}
