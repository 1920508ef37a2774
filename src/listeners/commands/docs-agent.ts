import { orSlackError } from "../../errors/slack-error.ts"
import { auditFailed } from "../../messages/audit.ts"
import { adminsOnlyMessage, doctorMessage } from "../../messages/doctor.ts"
import { helpMessage } from "../../messages/help.ts"
import { say } from "../../messages/private.ts"
import type { Command } from "../../slack/payloads.ts"
import { typedText } from "../../text/plain-text.ts"
import type { Reply } from "../answer.ts"
import { ask, type Incoming, tooLong } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"
import { answerWords } from "../verbs.ts"
import { offerForm } from "../views/form.ts"
import { readCommand } from "../words.ts"
import { askToForget } from "./forget-me.ts"

/** `/docs-agent …` */
export async function docsAgent(deps: AgentDeps, command: Command): Promise<Reply> {
  const { team, channel, user, replyUrl, triggerId } = command
  const words = readCommand(typedText(command.text))
  const delivery = `command:${triggerId}`
  const incoming: Incoming = { team, channel, user, replyUrl, delivery, prompt: { words: "" } }
  if (words.kind === "prompt" || words.kind === "unclear")
    return { ack: await ask(deps, incoming, words) }
  if (words.kind === "too_long") return { ack: await tooLong(deps, incoming, words) }
  // Nothing but the command: a form to write in. Opened first, as its trigger dies after three seconds.
  if (words.kind === "blank") return { work: () => offerForm(deps, command) }
  switch (words.kind === "verb" && words.verb) {
    case "help":
      return { ack: helpMessage() }
    // People who are not let in any more may be forgotten, and an admin may ask what is wrong with the bot
    // when the gate itself is.
    case "forget-me":
      return { ack: await askToForget(deps, command) }
    case "doctor":
      return forAdmins(deps, command, {
        ack: say("examining"),
        work: async () => doctorMessage(await deps.examine()),
      })
    case "audit":
      return forAdmins(deps, command, audit(deps, command))
    default:
      return { ack: await answerWords(deps, { channel, user }, words) }
  }
}

function forAdmins({ rules, admins }: AgentDeps, { user }: Command, reply: Reply): Reply {
  return rules.admins.has(user) ? reply : { ack: adminsOnlyMessage(admins) }
}

function audit({ sendAudit }: AgentDeps, { user }: Command): Reply {
  if (!sendAudit) return { ack: say("audit_off") }
  const failed = (error: unknown) => auditFailed(orSlackError(error).code)
  const work = () => sendAudit(user).then(() => undefined, failed)
  return { ack: say("audit_preparing"), work }
}
