import { actOnJob, type JobAction, moveJobTo } from "../jobs/job-actions.ts"
import { overviewOf, type Room } from "../jobs/overview.ts"
import { projectNames } from "../jobs/project-choice.ts"
import { submit } from "../jobs/submit.ts"
import type { Click } from "../slack/payload-interactions.ts"
import { line } from "../views/blocks.ts"
import { homeView, refusedHome } from "../views/home.ts"
import { helpModal } from "../views/overview.ts"
import { projectKey } from "../views/project-key.ts"
import { actionAnswer } from "./action-answer.ts"
import { admit, patiently } from "./admit.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"
import { submissionMessage } from "./submission.ts"

/** Buttons of cards and closing replies. */
export const JOB_ACTIONS: readonly JobAction[] = [
  "cancel",
  "check_now",
  "check_again",
  "stop_following",
  "try_again",
  "run_again",
]

/** Jobs on the Home tab, which shows those that have ended in a list of their own. */
const HOME_ROOM: Room = { open: 10, all: 20 }

/** A click on a job's button. Every click is authorised again: a card is public, its job is not. */
export async function clickOnJob(deps: AgentDeps, what: JobAction, click: Click): Promise<Reply> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return { ack: entry.refusal }
  const result = await actOnJob(deps, what, click.value, click.user)
  // The Home tab shows what became of it, also where it was too late.
  if (click.inView) return { work: () => publishHome(deps, click.user) }
  return { ack: actionAnswer(deps, what, result, click.thread) }
}

/** A choice in the menu of a running job's card. */
export async function chooseFromMenu(deps: AgentDeps, click: Click): Promise<Reply> {
  const [action, id = ""] = click.value.split(" ")
  const what = JOB_ACTIONS.find((known) => known === action)
  return what ? clickOnJob(deps, what, { ...click, value: id }) : {}
}

/** Another project was picked on the card of a job that still waits. */
export async function moveJob(deps: AgentDeps, click: Click): Promise<Reply> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return { ack: entry.refusal }
  const [id = "", key] = click.value.split(" ")
  const project = projectNames(deps).find((name) => projectKey(name) === key)
  if (!project) return { ack: line("That project is no longer set up here.") }
  return { ack: actionAnswer(deps, "cancel", await moveJobTo(deps, id, click.user, project)) }
}

/** "Run anyway" after the question about a duplicate. */
export async function runAnyway(deps: AgentDeps, click: Click): Promise<Reply> {
  const here = await admit(deps, click)
  if ("refusal" in here) return { ack: here.refusal, replace: true }
  const draft = await deps.jobs.draft(click.value)
  if (draft?.user !== click.user)
    return { ack: line("*That question has expired.* Send your request again."), replace: true }
  const entry = await admit(deps, draft)
  if ("refusal" in entry) return { ack: entry.refusal, replace: true }
  // Before: a crash in between costs a question that is not kept, never a click that does nothing.
  await deps.jobs.confirmDraft(draft)
  const request = { ...draft, idempotencyKey: `draft:${click.value}`, anyway: true }
  const submission = await submit(deps, request, entry.profile)
  return { ack: await submissionMessage(deps, submission), replace: true }
}

/** "Run again" after the question whether a retry is meant. */
export async function retryAnyway(deps: AgentDeps, click: Click): Promise<Reply> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return { ack: entry.refusal, replace: true }
  const result = await actOnJob(deps, "try_again", click.value, click.user)
  return { ack: actionAnswer(deps, "try_again", result, click.thread), replace: true }
}

export async function neverMind(): Promise<Reply> {
  return { ack: line("OK, not run."), replace: true }
}

/** An admin starts a paused queue again. */
export async function resume(deps: AgentDeps, click: Click): Promise<Reply> {
  if (!deps.rules.admins.has(click.user))
    return { ack: line(":no_entry: *Only an admin can resume the queue.*") }
  const project = projectNames(deps).find((name) => projectKey(name) === click.value)
  const resumed = project !== undefined && (await deps.queue.resume(project))
  if (click.inView) return { work: () => publishHome(deps, click.user) }
  const words = resumed ? "Queue resumed." : "The queue is already running."
  return { ack: line(words), replace: true }
}

/** "How to ask" on the Home tab. */
export async function showHelp(deps: AgentDeps, { triggerId }: Click): Promise<void> {
  if (triggerId) await deps.outbound.openModal(triggerId, helpModal())
}

/** The Home tab, made afresh, after an acknowledgement. A refusal is told there, as nobody else sees it. */
export async function publishHome(deps: AgentDeps, user: string): Promise<void> {
  const entry = await admit(patiently({ agent: deps }).agent, { user })
  const home =
    "refusal" in entry
      ? refusedHome(entry.refusal)
      : homeView(await overviewOf(deps, user, HOME_ROOM), { isAdmin: deps.rules.admins.has(user) })
  await deps.outbound.publishHome(user, home)
}

/** A button that no route names, such as one of an older version. */
export async function outdated(_: unknown, { replyUrl }: Click): Promise<Reply> {
  const words = line("*This button has expired.* Send your request again.")
  return replyUrl ? { ack: words } : {}
}
