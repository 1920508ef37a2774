import { actOnJob, type JobAction, moveJobTo } from "../jobs/job-actions.ts"
import { overviewOf, type Room } from "../jobs/overview.ts"
import { projectNames } from "../jobs/project-choice.ts"
import { submit } from "../jobs/submit.ts"
import type { Message } from "../ports/message.ts"
import type { Click } from "../slack/payload-interactions.ts"
import { line } from "../views/blocks.ts"
import { homeView, refusedHome } from "../views/home.ts"
import { jobActionMessage } from "../views/job-action.ts"
import { projectKey } from "../views/project-key.ts"
import { admit } from "./admit.ts"
import type { AgentDeps } from "./deps.ts"
import { submissionMessage } from "./submission.ts"
import { tell } from "./tell.ts"

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
export async function clickOnJob(deps: AgentDeps, what: JobAction, click: Click): Promise<void> {
  const entry = await admit(deps, click)
  const message =
    "refusal" in entry
      ? entry.refusal
      : jobActionMessage(what, await actOnJob(deps, what, click.value, click.user))
  if (message) await tell(deps, click, message)
}

/** A choice in the menu of a running job's card. */
export async function chooseFromMenu(deps: AgentDeps, click: Click): Promise<void> {
  const [action, id = ""] = click.value.split(" ")
  const what = JOB_ACTIONS.find((known) => known === action)
  if (what) await clickOnJob(deps, what, { ...click, value: id })
}

/** Another project was picked on the card of a job that still waits. */
export async function moveJob(deps: AgentDeps, click: Click): Promise<void> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return tell(deps, click, entry.refusal)
  const [id = "", key] = click.value.split(" ")
  const project = projectNames(deps).find((name) => projectKey(name) === key)
  if (!project) return tell(deps, click, line("That project is no longer set up here."))
  const message = jobActionMessage("cancel", await moveJobTo(deps, id, click.user, project))
  if (message) await tell(deps, click, message)
}

/** "Run anyway" after the question about a duplicate. */
export async function runAnyway(deps: AgentDeps, click: Click): Promise<void> {
  const here = await admit(deps, click)
  if ("refusal" in here) return tell(deps, click, here.refusal, true)
  const draft = await deps.jobs.draft(click.value)
  if (draft?.user !== click.user)
    return tell(
      deps,
      click,
      line("*That question has expired.* Ask again in your own words."),
      true,
    )
  const entry = await admit(deps, draft)
  if ("refusal" in entry) return tell(deps, click, entry.refusal, true)
  const request = { ...draft, idempotencyKey: `draft:${click.value}`, anyway: true }
  const submission = await submit(deps, request, entry.profile)
  await close(deps, click, await submissionMessage(deps, submission))
}

/** "Run again" after the question whether a retry is meant. */
export async function retryAnyway(deps: AgentDeps, click: Click): Promise<void> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return tell(deps, click, entry.refusal, true)
  const result = await actOnJob(deps, "try_again", click.value, click.user)
  const isQueued = result.result === "again"
  await close(deps, click, isQueued ? undefined : jobActionMessage("try_again", result))
}

/** Ends a question: by what there is to say, or without a word where a card says it all. */
async function close(deps: AgentDeps, click: Click, message: Message | undefined): Promise<void> {
  if (message) await tell(deps, click, message, true)
  else if (click.replyUrl) await deps.outbound.dismiss(click.replyUrl)
}

export async function neverMind(deps: AgentDeps, click: Click): Promise<void> {
  await tell(deps, click, line("OK, not run."), true)
}

/** An admin starts a paused queue again. */
export async function resume(deps: AgentDeps, click: Click): Promise<void> {
  if (!deps.rules.admins.has(click.user))
    return tell(deps, click, line(":no_entry: *Only an admin can resume the queue.*"))
  const project = projectNames(deps).find((name) => projectKey(name) === click.value)
  const resumed = project !== undefined && (await deps.queue.resume(project))
  if (click.inView) return publishHome(deps, click.user)
  const words = resumed ? "Queue resumed." : "The queue is already running."
  await tell(deps, click, line(words), true)
}

/** The Home tab, made afresh. Nobody but the person sees it, so a refusal is told there. */
export async function publishHome(deps: AgentDeps, user: string): Promise<void> {
  const entry = await admit(deps, { user })
  const home =
    "refusal" in entry
      ? refusedHome(entry.refusal)
      : homeView(await overviewOf(deps, user, HOME_ROOM), { isAdmin: deps.rules.admins.has(user) })
  await deps.outbound.publishHome(user, home)
}
