import { retried } from "../jobs/begin-round.ts"
import type { Decision } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import type { Found } from "../jobs/job-store.ts"
import type { Full } from "../jobs/request-record.ts"
import type { Ask } from "../jobs/round-record.ts"
import { allAsks, currentAsks, currentRound, muted, openAsks, withoutMute } from "../jobs/rounds.ts"
import { mayActOn } from "./access-rules.ts"
import { moveApart, moveOut } from "./follow-ups.ts"
import { waitingLimit } from "./store-request.ts"

export type ActionResult =
  | { result: "done"; job: Job }
  | { result: "not_yours"; owners: readonly string[] }
  /** Refusal, because the job has changed state since the message was shown. */
  | { result: "not_now"; job: Job }
  /** Refusal, because the bot no longer stores the job or the text that it needs. */
  | { result: "expired" }
  | { result: "full"; why: Full }

export interface Wish {
  job: string
  /** Request to cancel or move, or the round that a closing reply's button is about. */
  part?: string | undefined
  /** Last of the round's requests that its card showed; *Cancel* takes back no later one. */
  lastShown?: string | undefined
  user: string
}

export type Refused = Exclude<ActionResult, { result: "done" }>

/** Runs the latest round again if it brought no pull request. Only requesters and admins may. */
export async function retry(context: Context, wish: Wish): Promise<ActionResult> {
  const { user } = wish
  const found = await latestFor(context, wish)
  if ("result" in found) return found
  const asks = currentAsks(found.job)
  // Its requests have moved to a new job.
  if (asks.length === 0) return { result: "not_now", job: found.job }
  const prompts = await context.jobs.promptsOf(asks)
  if (Object.keys(prompts).length === 0) return { result: "expired" }
  const unless = { taken: [], full: waitingLimit(context, user) }
  return act(context, found, (latest) => {
    const again = retried(latest.job, { user, now: latest.now })
    const moved = { ...latest, job: withoutMute(latest.job, user) }
    const change =
      again === "new_job"
        ? moveOut(context.settings.auditDays, moved, currentAsks(latest.job), prompts)
        : again
    return change && { ...change, unless }
  })
}

/**
 * Stops mentioning this person in posts about the job, or resumes. Anybody may do so for themselves.
 * @returns whether the job is still known
 */
export async function mute({ jobs }: Context, id: string, user: string, isMuted = true) {
  const changed = await jobs.change(id, ({ job }) =>
    isMuted ? muted(job, user) : { set: { muted: withoutMute(job, user).muted } },
  )
  return changed !== "gone"
}

/** Moves one waiting follow-up to a new job at once. Only its requester and admins may do so. */
export async function startSeparately(
  context: Context,
  { job: id, part: askId, user }: Wish,
): Promise<ActionResult> {
  const found = await context.jobs.find(id)
  if (!found) return { result: "expired" }
  const waiting = (job: Job) => job.waiting.filter((one) => one.id === askId)
  const [ask] = waiting(found.job)
  if (ask && !mayActOn(context.settings.access, user, [ask]))
    return { result: "not_yours", owners: [ask.user] }
  const prompts = await context.jobs.promptsOf(waiting(found.job))
  if (ask && !prompts[ask.id]) return { result: "expired" }
  // Decides again at the write: the round may end meanwhile and begin the next one with this.
  return act(context, found, (latest) => {
    const asks = waiting(latest.job)
    return asks.length > 0
      ? moveApart(context.settings.auditDays, latest, asks, prompts)
      : undefined
  })
}

/** Returns the text of a round's requests, for the form of *Edit and run again*. */
export async function wordsToEdit(
  context: Context,
  wish: Wish,
): Promise<{ found: Found; words: string; asks: readonly Ask[] } | Refused> {
  const found = await latestFor(context, wish)
  if ("result" in found) return found
  const { job, now } = found
  const mayRunAgain = retried(job, { user: wish.user, now }) !== undefined
  if (!mayRunAgain) return { result: "not_now", job }
  const asks = currentAsks(found.job)
  const prompts = await context.jobs.promptsOf(asks)
  const own = asks.flatMap((ask) => prompts[ask.id]?.words ?? [])
  return own.length === 0 ? { result: "expired" } : { found, words: own.join("\n\n"), asks }
}

/** Finds the job for a button about its latest round; refuses if a newer one has replaced it. */
export async function latestFor(
  { jobs, settings }: Context,
  { job: id, part: round, user }: Wish,
): Promise<Found | Refused> {
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  const { job } = found
  if (!mayActOn(settings.access, user, [job, ...allAsks(job)]))
    return { result: "not_yours", owners: ownersOf(job) }
  const isLatest = round === undefined || round === currentRound(job).id
  return isLatest ? found : { result: "not_now", job }
}

export function ownersOf(job: Job, ask?: string): string[] {
  const all = openAsks(job)
  const open = ask === undefined ? all : all.filter(({ id }) => id === ask)
  return [...new Set((open.length > 0 ? open : allAsks(job)).map(({ user }) => user))]
}

/** Changes a job as somebody wishes, unless it has changed meanwhile so that nothing is left to do. */
export async function act(
  { jobs, settings }: Context,
  { job }: Found,
  decide: (found: Found) => Decision | undefined,
): Promise<ActionResult> {
  const changed = await jobs.change<Full["outcome"]>(job.id, decide)
  if (typeof changed === "object") return { result: "done", job: changed.job }
  if (changed === "no_room") return { result: "full", why: { outcome: changed } }
  const most = settings.limits.maxQueuedPerUser
  if (changed === "full") return { result: "full", why: { outcome: changed, of: "waiting", most } }
  return { result: "not_now", job: (await jobs.find(job.id))?.job ?? job }
}
