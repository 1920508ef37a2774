import { actOnJob, type JobAction, moveJobTo } from "../jobs/job-actions.ts"
import { overviewOf } from "../jobs/overview.ts"
import type { Message } from "../slack/message.ts"
import { line } from "../views/blocks.ts"
import { homeView, refusedHome } from "../views/home.ts"
import { jobActionMessage } from "../views/job-action.ts"
import { projectKey } from "../views/project-key.ts"
import { refusedMessage } from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"
import { submissionMessage } from "./docs-agent.ts"
import { openForm } from "./form.ts"
import type { ActionPayload, ShortcutPayload } from "./payloads.ts"
import { projectNames } from "./project.ts"

/** Buttons of cards and closing replies. */
export const JOB_ACTIONS: readonly JobAction[] = [
  "cancel",
  "check_now",
  "check_again",
  "stop_following",
  "try_again",
  "run_again",
]

/** A click on a job's button. Every click is authorised again: a card is public, its job is not. */
export async function clickOnJob(
  deps: AgentDeps,
  what: JobAction,
  click: ActionPayload,
): Promise<void> {
  const refusal = await refusalFor(deps, click)
  if (refusal) return tell(deps, click, refusal)
  const result = await actOnJob(deps, what, click.actions[0].value ?? "", click.user.id)
  const message = jobActionMessage(what, result)
  if (message) await tell(deps, click, message)
}

/** Another project was picked on the card of a job that still waits. */
export async function moveJob(deps: AgentDeps, click: ActionPayload): Promise<void> {
  const refusal = await refusalFor(deps, click)
  if (refusal) return tell(deps, click, refusal)
  const [id = "", key] = (click.actions[0].selected_option?.value ?? "").split(" ")
  const project = projectNames(deps).find((name) => projectKey(name) === key)
  if (!project) return tell(deps, click, line("That project is no longer configured."))
  const moved = await moveJobTo(deps, id, click.user.id, project)
  const message = jobActionMessage("cancel", moved)
  if (message) await tell(deps, click, message)
}

/** "Run anyway" after the question about a duplicate. */
export async function runAnyway(deps: AgentDeps, click: ActionPayload): Promise<void> {
  const refusal = await refusalFor(deps, click)
  if (refusal) return tell(deps, click, refusal, true)
  const id = click.actions[0].value ?? ""
  const draft = await deps.jobs.draft(id)
  if (draft?.user !== click.user.id)
    return tell(deps, click, line("That question is too old; please ask anew."), true)
  const request = { ...draft, idempotencyKey: `draft:${id}`, anyway: true }
  const entry = await deps.gate({ user: draft.user, channel: draft.channel })
  const submission = entry.allowed
    ? await deps.jobs.enqueue(request)
    : ({ outcome: "refused", entry } as const)
  // It was asked for anyway, so the store does not ask again.
  if (submission.outcome === "duplicate") return
  await tell(deps, click, await submissionMessage(deps, request, submission), true)
}

export async function neverMind(deps: AgentDeps, click: ActionPayload): Promise<void> {
  await tell(deps, click, line("Left alone; nothing was spent."), true)
}

/** An admin starts a paused queue again. */
export async function resume(deps: AgentDeps, click: ActionPayload): Promise<void> {
  if (!deps.rules.admins.has(click.user.id))
    return tell(deps, click, line(":no_entry: Only an admin of the bot can resume the queue."))
  const project = projectNames(deps).find((name) => projectKey(name) === click.actions[0].value)
  const resumed = project !== undefined && (await deps.queue.resume(project))
  if (click.view) await publishHome(deps, click.user.id)
  else
    await tell(
      deps,
      click,
      line(resumed ? "The queue goes on." : "The queue was not paused any more."),
      true,
    )
}

/** The Home tab, made afresh. Nobody but the person sees it, so a refusal is told there. */
export async function publishHome(deps: AgentDeps, user: string): Promise<void> {
  const entry = await deps.gate({ user })
  if (!entry.allowed) {
    const refusal = refusedMessage(entry.refusal, user, [...deps.rules.admins])
    return deps.outbound.publishHome(user, refusedHome(refusal))
  }
  const overview = await overviewOf({ ...deps, projects: projectNames(deps) }, user, 20)
  await deps.outbound.publishHome(
    user,
    homeView(overview, { isAdmin: deps.rules.admins.has(user) }),
  )
}

export async function openFromHome(deps: AgentDeps, click: ActionPayload): Promise<void> {
  const refusal = await refusalFor(deps, click)
  if (refusal) return tell(deps, click, refusal)
  await openForm(deps, click)
}

async function refusalFor(deps: AgentDeps, click: ActionPayload): Promise<Message | undefined> {
  const entry = await deps.gate({ user: click.user.id, channel: click.channel?.id })
  return entry.allowed
    ? undefined
    : refusedMessage(entry.refusal, click.user.id, [...deps.rules.admins])
}

/** Privately to the person who clicked, where they clicked. */
export async function tell(
  deps: Pick<AgentDeps, "outbound">,
  click: Pick<ActionPayload | ShortcutPayload, "user" | "channel" | "message" | "response_url">,
  message: Message,
  replace = false,
): Promise<void> {
  if (click.response_url) return deps.outbound.respond(click.response_url, message, { replace })
  if (!click.channel) return void (await deps.outbound.direct(click.user.id, message))
  const thread = click.message?.thread_ts
  await deps.outbound.whisper({ channel: click.channel.id, thread, user: click.user.id }, message)
}
