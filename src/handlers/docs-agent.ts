import { overviewOf } from "../jobs/overview.ts"
import type { NewJob } from "../jobs/ports.ts"
import { steer } from "../jobs/steer.ts"
import { type Submission, submit } from "../jobs/submit.ts"
import type { Message } from "../slack/message.ts"
import { askModal } from "../views/modal.ts"
import { unescapeText } from "../views/mrkdwn.ts"
import { helpMessage, quotaMessage, statusMessage } from "../views/overview.ts"
import { line } from "../views/refusals.ts"
import { steeredMessage } from "../views/steered.ts"
import {
  acceptedMessage,
  duplicateMessage,
  fullMessage,
  refusedMessage,
  tooLongMessage,
} from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"
import type { CommandPayload } from "./payloads.ts"
import { PROMPT_MAX, readCommand } from "./words.ts"

/** Jobs that `status` lists. */
const STATUS_JOBS = 10

/** `/docs-agent …`: what to answer privately; nothing when a modal opened. */
export async function docsAgent(
  deps: AgentDeps,
  command: CommandPayload,
): Promise<Message | undefined> {
  const who = { user: command.user_id, channel: command.channel_id }
  const words = readCommand(unescapeText(command.text))
  if (words.kind === "help") return helpMessage()
  if (words.kind === "prompt") return ask(deps, command, words.words)
  if (words.kind === "too_long") return tooLongMessage(words.length, PROMPT_MAX)
  const entry = await deps.gate(who)
  if (!entry.allowed) return refusedMessage(entry.refusal, who.user, [...deps.rules.admins])
  if (words.kind === "blank") return openForm(deps, command)
  const overview = () => overviewOf(deps, who.user, STATUS_JOBS)
  if (words.kind === "quota") return quotaMessage(await overview())
  if (words.kind === "cancel") return cancel(deps, who.user, words.id)
  return statusMessage(await overview())
}

async function ask(deps: AgentDeps, command: CommandPayload, words: string): Promise<Message> {
  const request: NewJob = {
    project: deps.projects[0],
    team: command.team_id,
    channel: command.channel_id,
    user: command.user_id,
    prompt: { words },
    delivery: `command:${command.trigger_id}`,
    replyUrl: command.response_url,
  }
  return submissionMessage(deps, request, await submit(deps, request))
}

async function openForm(deps: AgentDeps, command: CommandPayload): Promise<undefined> {
  const draft = await deps.jobs.saveDraft({
    project: deps.projects[0],
    team: command.team_id,
    channel: command.channel_id,
    user: command.user_id,
    prompt: { words: "" },
    replyUrl: command.response_url,
  })
  // A direct message between two people cannot be chosen in the form; the draft remembers it.
  const channel = command.channel_id.startsWith("D") ? {} : { channel: command.channel_id }
  await deps.outbound.openModal(command.trigger_id, askModal({ draft, ...channel }))
  return undefined
}

async function cancel(deps: AgentDeps, user: string, id: string | undefined): Promise<Message> {
  if (!id)
    return line(
      "Say which one: `/docs-agent cancel <id>`. The id stands on its card and in `/docs-agent status`.",
    )
  const steered = await steer(deps, "cancel", id, user)
  return steeredMessage("cancel", steered) ?? line("Cancelled. No job was spent.")
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
      const where = other?.card ? `Its card is in <#${other.channel}>.` : undefined
      return duplicateMessage(where, submission.draft)
    }
  }
}
