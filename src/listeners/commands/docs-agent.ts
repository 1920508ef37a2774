import { SlackError } from "../../errors/slack-error.ts"
import { auditMessage } from "../../messages/audit.ts"
import { adminsOnlyMessage, doctorMessage, examiningMessage } from "../../messages/doctor.ts"
import { helpMessage } from "../../messages/overview.ts"
import type { Message } from "../../ports/message.ts"
import type { Command } from "../../slack/payloads.ts"
import { typedText } from "../../text/plain-text.ts"
import { admit } from "../admit.ts"
import type { Reply } from "../answer.ts"
import { ask, type Incoming, tooLong } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"
import { tell } from "../tell.ts"
import { answerQuestion, cancelByWord, quota, smallTalkAnswer, status } from "../verbs.ts"
import { offerForm } from "../views/form.ts"
import { readCommand, type Words } from "../words.ts"
import { askToForget } from "./forget-me.ts"

/** `/docs-agent …` */
export async function docsAgent(deps: AgentDeps, command: Command): Promise<Reply> {
  const words = readCommand(typedText(command.text))
  switch (words.kind) {
    case "prompt":
    case "unclear":
      return { ack: await ask(deps, incomingOf(command), words) }
    case "too_long":
      return { ack: await tooLong(deps, incomingOf(command), words) }
    case "small_talk":
      return { ack: smallTalkAnswer(words.of) }
    // Nothing but the command: a form to write in. Opened first, as its trigger dies after three seconds.
    case "blank":
      return { work: () => offerForm(deps, command) }
    case "verb":
      return verb(deps, command, words.verb)
    default:
      return { ack: await behindTheGate(deps, command, () => subWord(deps, command, words)) }
  }
}

function incomingOf({ team, channel, user, replyUrl, triggerId }: Command): Incoming {
  const delivery = `command:${triggerId}`
  return { team, channel, user, replyUrl, delivery, prompt: { words: "" } }
}

async function behindTheGate(
  deps: AgentDeps,
  command: Command,
  answer: () => Promise<Message | undefined>,
): Promise<Message | undefined> {
  const entry = await admit(deps, command)
  return "refusal" in entry ? entry.refusal : answer()
}

async function subWord(
  deps: AgentDeps,
  { channel, user }: Command,
  words: Extract<Words, { kind: "cancel" | "answer" }>,
): Promise<Message | undefined> {
  if (words.kind === "cancel") return cancelByWord(deps, { channel, user }, words.id)
  await answerQuestion(deps, { channel, user }, words.isYes)
  return undefined
}

async function verb(
  deps: AgentDeps,
  command: Command,
  word: Extract<Words, { kind: "verb" }>["verb"],
): Promise<Reply> {
  const { user } = command
  switch (word) {
    case "status":
      return { ack: await behindTheGate(deps, command, () => status(deps, user)) }
    case "quota":
      return { ack: await behindTheGate(deps, command, () => quota(deps, user)) }
    // People who are not let in any more may be forgotten, and an admin may ask what is wrong with the bot
    // when the gate itself is.
    case "forget-me":
      return { ack: await askToForget(deps, command) }
    case "doctor":
    case "audit":
      return forAdmins(deps, command, word)
    default:
      return { ack: helpMessage() }
  }
}

/** `doctor` and `audit`: answers that take longer than Slack waits. */
function forAdmins(deps: AgentDeps, command: Command, word: "doctor" | "audit"): Reply {
  if (!deps.rules.admins.has(command.user)) return { ack: adminsOnlyMessage(deps.admins) }
  if (word === "doctor")
    return {
      ack: examiningMessage(),
      work: async () => tell(deps, command, doctorMessage(await deps.examine())),
    }
  const { sendAudit } = deps
  if (!sendAudit) return { ack: auditMessage({ is: "off" }) }
  return {
    ack: auditMessage({ is: "preparing" }),
    work: () => sendAudit(command.user),
    sorry: (error) =>
      error instanceof SlackError ? auditMessage({ is: "failed", code: error.code }) : undefined,
  }
}
