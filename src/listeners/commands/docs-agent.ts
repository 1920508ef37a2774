import { sendAudit } from "../../jobs/audit-csv.ts"
import { forgetQuestion, forgottenMessage } from "../../messages/audit.ts"
import { adminsOnlyMessage, doctorMessage } from "../../messages/doctor.ts"
import { helpMessage } from "../../messages/help.ts"
import { say } from "../../messages/private.ts"
import type { Click, Command } from "../../slack/payloads.ts"
import { typedText } from "../../text/plain-text.ts"
import type { Reply } from "../answer.ts"
import { ask, type Incoming } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"
import { tell } from "../tell.ts"
import { answerWords } from "../verbs.ts"
import { offerForm } from "../views/form.ts"
import { readCommand } from "../words.ts"

/** `/docs-agent …` */
export async function docsAgent(deps: AgentDeps, command: Command): Promise<Reply> {
  const { team, channel, user, replyUrl, triggerId } = command
  const words = readCommand(typedText(command.text))
  const delivery = `command:${triggerId}`
  const incoming: Incoming = { team, channel, user, replyUrl, delivery, prompt: { words: "" } }
  if (words.kind === "prompt" || words.kind === "unclear" || words.kind === "too_long")
    return { ack: await ask(deps, incoming, words) }
  // Nothing but the command: a form to write in. Opened first, as its trigger dies after three seconds.
  if (words.kind === "blank") return { work: () => offerForm(deps, command) }
  switch (words.kind === "verb" && words.verb) {
    case "help":
      return { ack: helpMessage() }
    // People who are not let in any more may be forgotten, and an admin may ask what is wrong with the bot
    // when the gate itself is.
    case "forget-me":
      return { ack: forgetQuestion(await deps.forgetting.ask(user)) }
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

function audit(deps: AgentDeps, { user }: Command): Reply {
  if (deps.auditDays === 0) return { ack: say("audit_off") }
  return { ack: say("audit_preparing"), work: () => sendAudit(deps, user) }
}

/** Takes the answer, which counts once; after a crash at this point the person is asked again, no more. */
export async function forgetMe(deps: AgentDeps, click: Click): Promise<Reply> {
  const { user, value } = click
  if (!(await deps.forgetting.answered(user, value))) return { ack: say("forget_expired") }
  const forget = async () => {
    await tell(deps, click, forgottenMessage(await deps.forgetting.forget(user)), true)
  }
  return { ack: say("forgetting"), replace: true, work: forget }
}

export async function keepMe(deps: AgentDeps, { user, value }: Click): Promise<Reply> {
  const isOurs = await deps.forgetting.answered(user, value)
  return isOurs ? { replace: true } : { ack: say("forget_expired"), replace: true }
}
