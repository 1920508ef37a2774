import { actOnJob } from "../jobs/job-actions.ts"
import { overviewOf } from "../jobs/overview.ts"
import type { NewJob } from "../jobs/ports.ts"
import { type Submission, submit } from "../jobs/submit.ts"
import type { Message } from "../slack/message.ts"
import { unescapeText } from "../text/plain-text.ts"
import { line } from "../views/blocks.ts"
import { jobActionMessage } from "../views/job-action.ts"
import { askModal } from "../views/modal.ts"
import { foreignLine } from "../views/mrkdwn.ts"
import { helpMessage, quotaMessage, statusMessage } from "../views/overview.ts"
import {
  acceptedMessage,
  blankMessage,
  duplicateMessage,
  fullMessage,
  refusedMessage,
  tokenRefusedMessage,
  tooLongMessage,
  unknownProjectMessage,
} from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"
import type { CommandPayload } from "./payloads.ts"
import { defaultProject, projectFor, projectNames } from "./project.ts"
import { isFirstTime } from "./replay.ts"
import { isSlowWord, slowAnswer } from "./slow-words.ts"
import { isBlank, PROMPT_MAX, readCommand } from "./words.ts"

/** Jobs that `status` lists. */
const STATUS_JOBS = 10

/** `/docs-agent …`: what to answer privately; nothing when a modal opened. */
export async function docsAgent(
  deps: AgentDeps,
  command: CommandPayload,
): Promise<Message | undefined> {
  const who = { user: command.user_id, channel: command.channel_id }
  const words = readCommand(unescapeText(command.text), projectNames(deps))
  if (words.kind === "help") return helpMessage()
  // Before the gate: people who are not let in any more may be forgotten, and an admin may ask what
  // is wrong with the bot when the gate itself is.
  if (isSlowWord(words.kind)) return slowAnswer(deps, words.kind, who.user)
  if (words.kind === "prompt") return ask(deps, command, words.words)
  if (words.kind === "too_long") return tooLongMessage(words.length, PROMPT_MAX)
  const entry = await deps.gate(who)
  if (!entry.allowed) return refusedMessage(entry.refusal, who.user, [...deps.rules.admins])
  if (words.kind === "blank") return openForm(deps, command)
  const overview = () =>
    overviewOf({ ...deps, projects: projectNames(deps) }, who.user, STATUS_JOBS)
  if (words.kind === "use") return useProject(deps, command, words.project)
  if (words.kind === "quota") return quotaMessage(await overview())
  if (words.kind === "cancel") return cancel(deps, who.user, words.id)
  return statusMessage(await overview())
}

async function ask(deps: AgentDeps, command: CommandPayload, typed: string): Promise<Message> {
  const code = deps.tokenRefused()
  if (code) return tokenRefusedMessage(code)
  const { choice, words } = await projectFor(deps, command.channel_id, typed)
  if ("unknown" in choice) return unknownProjectMessage(choice.unknown, projectNames(deps))
  if (isBlank(words)) return blankMessage()
  const request: NewJob = {
    project: choice.project,
    team: command.team_id,
    channel: command.channel_id,
    channelName: command.channel_name,
    user: command.user_id,
    prompt: { words },
    idempotencyKey: `command:${command.trigger_id}`,
    replyUrl: command.response_url,
  }
  return submissionMessage(deps, request, await submit(deps, request))
}

async function openForm(deps: AgentDeps, command: CommandPayload): Promise<undefined> {
  const project = await defaultProject(deps, command.channel_id)
  const draft = await deps.jobs.saveDraft({
    project,
    team: command.team_id,
    channel: command.channel_id,
    user: command.user_id,
    prompt: { words: "" },
    replyUrl: command.response_url,
  })
  // A direct message between two people cannot be chosen in the form; the draft remembers it.
  const channel = command.channel_id.startsWith("D") ? {} : { channel: command.channel_id }
  await deps.outbound.openModal(
    command.trigger_id,
    askModal({ draft, project, projects: projectNames(deps), ...channel }),
  )
  return undefined
}

async function useProject(
  deps: AgentDeps,
  command: CommandPayload,
  project: string,
): Promise<Message> {
  if (!deps.rules.admins.has(command.user_id))
    return line(":no_entry: Only an admin of the bot can choose a channel's project.")
  if (await isFirstTime(deps.queue, command))
    await deps.jobs.useProject(command.channel_id, project)
  return line(`Requests from this channel go to *${foreignLine(project, 40)}* from now on.`)
}

async function cancel(deps: AgentDeps, user: string, id: string | undefined): Promise<Message> {
  if (!id)
    return line(
      "Say which one: `/docs-agent cancel &lt;id&gt;`. The id stands on its card and in `/docs-agent status`.",
    )
  const result = await actOnJob(deps, "cancel", id, user)
  return jobActionMessage("cancel", result) ?? line("Cancelled. No job was spent.")
}

/** What the requester is told privately about a submission, from whichever entry it came. */
export async function submissionMessage(
  deps: AgentDeps,
  request: Pick<NewJob, "user">,
  submission: Submission,
): Promise<Message> {
  switch (submission.outcome) {
    case "queued":
      return acceptedMessage()
    case "full":
      return fullMessage(submission.waiting)
    case "refused":
      return refusedMessage(submission.entry.refusal, request.user, [...deps.rules.admins])
    case "duplicate": {
      const other = await deps.jobs.get(submission.id)
      const url = other?.card && deps.permalink(other.channel, other.card)
      return duplicateMessage(url || undefined, submission.draft)
    }
  }
}
