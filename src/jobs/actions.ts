import { type AccessRules, mayActOn } from "../access/rules.ts"
import { type Ask, currentAsks, type Job, waitingAsks } from "./job.ts"
import type { Found, JobStore } from "./job-store.ts"
import { moveOut, type SubmitDeps } from "./submit.ts"
import { cancelled, lookedAgain, muted, previewAsked, retried } from "./transitions.ts"

/** The outcome of a person's wish about a job. */
export type ActionResult =
  | { result: "done"; job: Job }
  /** It belongs to others, who are named. */
  | { result: "not_yours"; owners: readonly string[] }
  /** It no longer applies: the job is in another state by now. */
  | { result: "not_now"; job: Job }
  /** The job, or the words it needs, are no longer kept. */
  | { result: "expired" }

export interface ActionDeps {
  jobs: JobStore
  rules: AccessRules
  delayMs: number
}

/** Takes back what waits: one request, or all of this person's; an admin may take back anybody's. */
export async function cancel(
  { jobs, rules, delayMs }: ActionDeps,
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
export async function retry(deps: ActionDeps, id: string, user: string): Promise<ActionResult> {
  const { jobs, rules, delayMs } = deps
  const found = await jobs.find(id)
  if (!found || Object.keys(found.words).length === 0) return { result: "expired" }
  if (!isParty(rules, found.job, user)) return { result: "not_yours", owners: ownersOf(found.job) }
  const changed = await jobs.change(id, ({ job, now }) => retried(job, { user, delayMs, now }))
  return resultOf(changed, found)
}

/** Asks the service again about a job that ended without a pull request. */
export async function lookAgain(deps: ActionDeps, id: string, user: string): Promise<ActionResult> {
  const { jobs, rules } = deps
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  if (!isParty(rules, found.job, user)) return { result: "not_yours", owners: ownersOf(found.job) }
  const changed = await jobs.change(id, ({ job, now }) => lookedAgain(job, { now }))
  return resultOf(changed, found)
}

/** Posts nothing more for this person. Anybody may have themselves left alone. */
export async function mute({ jobs }: ActionDeps, id: string, user: string): Promise<ActionResult> {
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  const changed = await jobs.change(id, ({ job }) => muted(job, user))
  return { result: "done", job: changed?.job ?? found.job }
}

/** Gives one waiting follow-up a job of its own at once; for who asked for it, or an admin. */
export async function startSeparately(
  deps: ActionDeps & SubmitDeps,
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
export async function askPreview(
  { jobs }: ActionDeps,
  id: string,
  user: string,
): Promise<ActionResult> {
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  const changed = await jobs.change(id, ({ job, now }) => previewAsked(job, { by: user, now }))
  return resultOf(changed, found)
}

/** The words of a round, for a form in which they are edited before they run again. */
export async function wordsToEdit(
  { jobs, rules }: ActionDeps,
  id: string,
  user: string,
): Promise<{ found: Found; words: string } | Exclude<ActionResult, { result: "done" }>> {
  const found = await jobs.find(id)
  if (!found) return { result: "expired" }
  if (!isParty(rules, found.job, user)) return { result: "not_yours", owners: ownersOf(found.job) }
  const own = currentAsks(found.job).flatMap((ask) => found.words[ask.id]?.words ?? [])
  return own.length === 0 ? { result: "expired" } : { found, words: own.join("\n\n") }
}

/** Did this person ask for any of it, or are they an admin? */
function isParty(rules: AccessRules, job: Job, user: string): boolean {
  return job.asks.some((ask) => ask.user === user) || mayActOn(rules, user, job.user)
}

function resultOf(changed: { job: Job } | undefined, { job }: Found): ActionResult {
  return changed ? { result: "done", job: changed.job } : { result: "not_now", job }
}
