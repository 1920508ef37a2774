import { overviewOf, STATUS_ROOM } from "../jobs/overview.ts"
import { projectFor, projectNames } from "../jobs/project-choice.ts"
import { submit } from "../jobs/submit.ts"
import type { Message } from "../ports/message.ts"
import type { Command } from "../slack/payloads.ts"
import { typedText } from "../text/plain-text.ts"
import { line } from "../views/blocks.ts"
import { foreignLine } from "../views/mrkdwn.ts"
import { quotaMessage, statusMessage } from "../views/overview.ts"
import {
  blankMessage,
  tokenRefusedMessage,
  unknownProjectMessage,
} from "../views/request-messages.ts"
import { adminReply } from "./admin-words.ts"
import { admit } from "./admit.ts"
import type { Reply } from "./answer.ts"
import { cancel } from "./cancel.ts"
import type { AgentDeps } from "./deps.ts"
import { isFirstTime } from "./first-time.ts"
import { askToForget } from "./forget-me.ts"
import { offerForm } from "./form.ts"
import { isOpen, openAnswer } from "./open-answer.ts"
import { type CommandWords, isBlank, neverSaid, readCommand } from "./parse-command.ts"
import { askFirst, submissionMessage } from "./submission.ts"

/** `/docs-agent …` */
export async function docsAgent(deps: AgentDeps, command: Command): Promise<Reply> {
  const words = readCommand(typedText(command.text), projectNames(deps))
  if (isOpen(words)) return { ack: openAnswer(words) }
  switch (words.kind) {
    // Before the gate: people who are not let in any more may be forgotten, and an admin may ask what
    // is wrong with the bot when the gate itself is.
    case "forget-me":
      return { ack: await askToForget(deps, command) }
    case "doctor":
    case "audit":
      return adminReply(deps, command, words.kind)
    case "prompt":
    case "unclear":
      return { ack: await ask(deps, command, words) }
    case "blank":
      return blank(deps, command)
    case "status":
    case "quota":
    case "cancel":
    case "use": {
      const entry = await admit(deps, command)
      return { ack: "refusal" in entry ? entry.refusal : await subWord(deps, command, words) }
    }
    default:
      return neverSaid(words)
  }
}

/** Nothing but the command: a form to write in. */
async function blank(deps: AgentDeps, command: Command): Promise<Reply> {
  const entry = await admit(deps, command)
  return "refusal" in entry ? { ack: entry.refusal } : { work: () => offerForm(deps, command) }
}

async function subWord(
  deps: AgentDeps,
  command: Command,
  words: Extract<CommandWords, { kind: "status" | "quota" | "cancel" | "use" }>,
): Promise<Message> {
  switch (words.kind) {
    case "status":
      return statusMessage(await overviewOf(deps, command.user, STATUS_ROOM))
    case "quota":
      return quotaMessage(await overviewOf(deps, command.user, STATUS_ROOM))
    case "cancel":
      return cancel(deps, command.user, words.id)
    case "use":
      return useProject(deps, command, words.project)
    default:
      return neverSaid(words)
  }
}

async function ask(
  deps: AgentDeps,
  command: Command,
  { kind, words, project: typed }: Extract<CommandWords, { kind: "prompt" | "unclear" }>,
): Promise<Message | undefined> {
  const code = deps.tokenRefused()
  if (code) return tokenRefusedMessage(code)
  const choice = await projectFor(deps, command.channel, typed)
  if ("unknown" in choice) return unknownProjectMessage(choice.unknown, projectNames(deps))
  if (isBlank(words)) return blankMessage()
  const { team, channel, channelName, user, replyUrl } = command
  const entry = await admit(deps, { user, channel })
  if ("refusal" in entry) return entry.refusal
  const idempotencyKey = `command:${command.triggerId}`
  const where = { project: choice.project, team, channel, channelName, user }
  const request = { ...where, prompt: { words }, idempotencyKey, replyUrl }
  if (kind === "unclear") return askFirst(deps, request)
  return submissionMessage(deps, await submit(deps, request, entry.profile))
}

async function useProject(deps: AgentDeps, command: Command, project: string): Promise<Message> {
  if (!deps.rules.admins.has(command.user))
    return line(":no_entry: *Only an admin can choose a channel's project.*")
  if (await isFirstTime(deps.queue, command)) await deps.jobs.useProject(command.channel, project)
  return line(`Requests from this channel now go to *${foreignLine(project, 40)}*.`)
}
