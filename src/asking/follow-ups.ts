import { newJob } from "../jobs/begin-round.ts"
import type { Decision } from "../jobs/change.ts"
import { takenOut } from "../jobs/end-round.ts"
import { isOver, type Job } from "../jobs/job.ts"
import type { Found } from "../jobs/job-store.ts"
import type { Accepted, Prompt, Prompts } from "../jobs/request-record.ts"
import type { Ask } from "../jobs/round-record.ts"
import { allAsks, endingOf } from "../jobs/rounds.ts"

/**
 * Chooses the job of a follow-up in a thread with several open pull requests: the speaker's own, the
 * one whose reply to them stands last, because that says how to change it. Pure.
 * @param jobs the thread's jobs of the project, newest first
 * @returns jobs to choose from for a speaker who has asked for nothing here; undefined if the
 * thread has not several, so that its latest job is meant
 */
export function choosePull(jobs: readonly Job[], user: string): Job | readonly Job[] | undefined {
  const open = jobs.filter(isOpen)
  if (open.length < 2) return undefined
  const asked = (job: Job) => allAsks(job).some((ask) => ask.user === user)
  const own = open.filter(asked)
  if (own.length > 0) return lastReplied(own, user)
  const linked = open.filter(({ prLink }) => prLink !== undefined)
  if (jobs.some(asked) || linked.length < 2) return lastReplied(open)
  return linked
}

/**
 * Returns whether the job has, or may still open, a pull request that takes changes. What
 * follows a failed update is a new job: see `wayOf`.
 */
function isOpen(job: Job): boolean {
  if (job.state !== "ended") return true
  return endingOf(job) === "pull_request" && !isOver(job.pull?.state)
}

/** @param user person to whom the replies are; absent: anybody */
function lastReplied(jobs: readonly Job[], user?: string): Job | undefined {
  return jobs.toSorted((a, b) => repliedAt(b, user) - repliedAt(a, user))[0]
}

function repliedAt({ rounds }: Job, user: string | undefined): number {
  const theirs = rounds.filter(
    ({ asks }) => user === undefined || asks.some((ask) => ask.user === user),
  )
  return Math.max(0, ...theirs.map(({ told }) => Number(told?.ts ?? 0)))
}

/**
 * Moves requests to a new job if the old one's pull request is over, or if the deployment has no
 * messages. Both jobs change in one step, so that no request is ever in two. Its text stays where it
 * is. @param prompts texts of the requests, for the audit
 */
export function moveOut(
  auditDays: number,
  found: Found,
  asks: readonly Ask[],
  prompts: Prompts,
): Decision {
  const accepted = acceptedOf(found.job, asks, prompts)
  return moved(auditDays, found, asks, { accepted, prompts: withoutTold(accepted) })
}

/**
 * Moves a waiting request to a job of its own, which continues nothing of what still runs. The
 * request is prepared once more, because the whole thread is its context then.
 */
export function moveApart(
  auditDays: number,
  found: Found,
  asks: readonly Ask[],
  prompts: Prompts,
): Decision {
  const accepted = acceptedOf(found.job, asks, prompts).map(({ ask, request }): Accepted => {
    const { isPrepared: _, ...unprepared } = ask
    const { continuesJob: __, ...own } = request
    return { ask: unprepared, request: { ...own, prompt: withWholeThread(request.prompt) } }
  })
  const texts = accepted.map(({ ask, request }) => [ask.id, request.prompt])
  return moved(auditDays, found, asks, { accepted, prompts: Object.fromEntries(texts) })
}

function withWholeThread(asked: Prompt): Prompt {
  const { thread: _, unread: __, threadRange, ...prompt } = asked
  if (!threadRange) return prompt
  const { from: ___, ...whole } = threadRange
  return { ...prompt, threadRange: whole }
}

function acceptedOf(job: Job, asks: readonly Ask[], prompts: Prompts): Accepted[] {
  const { id, project, channel } = job
  const place = { project, channel, thread: job.thread ?? job.card, continuesJob: id }
  return asks.flatMap((ask): Accepted[] => {
    if (ask.isForgotten) return []
    // One whose text can't be read goes along, because its requester is told when it is sent.
    const { user, ts } = ask
    const prompt = prompts[ask.id] ?? { words: "" }
    return [{ ask, request: { ...place, user, ts, prompt } }]
  })
}

function moved(
  auditDays: number,
  { job, now: at }: Found,
  asks: readonly Ask[],
  { accepted: [first, ...others], prompts }: { accepted: Accepted[]; prompts: Prompts },
): Decision {
  const ids = asks.map(({ id }) => id)
  const change = takenOut(job, ids)
  if (!first) return { ...change, forget: ids }
  // Keeps the thread muted for those who muted it since.
  const options = { at, inMs: 0, muted: job.muted, prompts }
  return { ...change, creates: newJob(auditDays, [first, ...others], options) }
}

/** Returns the texts of requests whose requesters were told of unread files, without these. */
function withoutTold(accepted: readonly Accepted[]): Prompts {
  const told = accepted.filter(({ ask, request }) => ask.isPrepared && request.prompt.unread)
  return Object.fromEntries(
    told.map(({ ask, request }) => {
      const { unread: _, ...prompt } = request.prompt
      return [ask.id, prompt]
    }),
  )
}
