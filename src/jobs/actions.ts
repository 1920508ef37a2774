import { mayActOn } from "../access/rules.ts"
import type { JobsDeps } from "./deps.ts"
import { type Ask, currentAsks, type Job, waitingAsks } from "./job.ts"
import type { Found } from "./job-store.ts"
import { moveOut } from "./submit.ts"
import { type Change, cancelled, lookedAgain, muted, previewAsked, retried } from "./transitions.ts"

/** The outcome of a person's wish about a job. */
export type ActionResult =
  | { result: "done"; job: Job }
  /** A refusal: the job belongs to others, who are named. */
  | { result: "not_yours"; owners: readonly string[] }
  /** A click that no longer applies: the job is in another state by now. */
  | { result: "not_now"; job: Job }
  /** The job, or the words it needs, are no longer kept. */
  | { result: "expired" }

type Refused = Exclude<ActionResult, { result: "done" }>

/** Takes back what waits: one request, or all of this person's; an admin may take back anybody's. */
export async function cancel(
  { jobs, rules, delayMs }: JobsDeps,
  { job: id, ask, user }: { job: string; ask?: string | undefined; user: string },
): Promise<ActionResult> {
  const mayCancel = (one: Ask) => mayActOn(rules, user, one.user)
  const changed = await jobs.change<"too_late" | "not_yours">(id, ({ job, now }) =>
    cancelled(job, { mayCancel, id: ask, delayMs, now }),
  )
  if (changed === undefined) return { result: "expired" }
  if (typeof changed === "object") return { result: "done", job: changed.job }
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  return changed === "too_late"
    ? { result: "not_now", job: found.job }
    : { result: "not_yours", owners: ownersOf(found.job) }
}

function ownersOf(job: Job): string[] {
  const open = [...currentAsks(job), ...waitingAsks(job)]
  return [...new Set((open.length > 0 ? open : job.asks).map(({ user }) => user))]
}

/** Runs the round again in the place of its failure; for one who asked in it, or an admin. */
export async function retry(deps: JobsDeps, id: string, user: string): Promise<ActionResult> {
  const found = await foundFor(deps, id, user)
  if ("result" in found) return found
  if (Object.keys(found.words).length === 0) return { result: "expired" }
  const { delayMs } = deps
  return act(deps, found, ({ job, now }) => retried(job, { user, delayMs, now }))
}

/** Asks the service again about a job that ended without a pull request. */
export async function lookAgain(deps: JobsDeps, id: string, user: string): Promise<ActionResult> {
  const found = await foundFor(deps, id, user)
  return "result" in found ? found : act(deps, found, ({ job, now }) => lookedAgain(job, { now }))
}

/** Posts nothing more for this person. Anybody may have themselves left alone. */
export async function mute({ jobs }: JobsDeps, id: string, user: string): Promise<ActionResult> {
  const changed = await jobs.change(id, ({ job }) => muted(job, user))
  const job = changed?.job ?? (await jobs.find(id))?.job
  return job ? { result: "done", job } : { result: "expired" }
}

/** Gives one waiting follow-up a job of its own at once; for who asked for it, or an admin. */
export async function startSeparately(
  deps: JobsDeps,
  { job: id, ask: askId, user }: { job: string; ask: string; user: string },
): Promise<ActionResult> {
  const found = await deps.jobs.find(id)
  if (!found) return { result: "expired" }
  const ask = waitingAsks(found.job).find((one) => one.id === askId)
  if (!ask) return { result: "not_now", job: found.job }
  if (!mayActOn(deps.rules, user, ask.user)) return { result: "not_yours", owners: [ask.user] }
  await moveOut(deps, id, [ask], { previous: true })
  return { result: "done", job: found.job }
}

/** Asks for a preview of the branch; anybody who may ask may. */
export async function askPreview(deps: JobsDeps, id: string, user: string): Promise<ActionResult> {
  const found = await deps.jobs.find(id)
  if (!found) return { result: "expired" }
  return act(deps, found, ({ job, now }) => previewAsked(job, { by: user, now }))
}

/** The words of a round, for a form in which they are edited before they run again. */
export async function wordsToEdit(
  deps: JobsDeps,
  id: string,
  user: string,
): Promise<{ found: Found; words: string } | Refused> {
  const found = await foundFor(deps, id, user)
  if ("result" in found) return found
  const own = currentAsks(found.job).flatMap((ask) => found.words[ask.id]?.words ?? [])
  return own.length === 0 ? { result: "expired" } : { found, words: own.join("\n\n") }
}

/** Finds a job for somebody who asked for any of it, or for an admin. */
async function foundFor(
  { jobs, rules }: JobsDeps,
  id: string,
  user: string,
): Promise<Found | Refused> {
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  const { job } = found
  const isParty = job.asks.some((ask) => ask.user === user) || mayActOn(rules, user, job.user)
  return isParty ? found : { result: "not_yours", owners: ownersOf(job) }
}

async function act(
  { jobs }: JobsDeps,
  { job }: Found,
  decide: (found: Found) => Change | undefined,
): Promise<ActionResult> {
  const changed = await jobs.change(job.id, decide)
  return changed ? { result: "done", job: changed.job } : { result: "not_now", job }
}
