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

/** Handles `/docs-agent …`. */
export async function docsAgent(deps: AgentDeps, command: Command): Promise<Reply> {
  const { team, channel, user, replyUrl, triggerId } = command
  const words = readCommand(typedText(command.text))
  const delivery = `command:${triggerId}`
  const incoming: Incoming = { team, channel, user, replyUrl, delivery, prompt: { words: "" } }
  if (words.kind === "prompt" || words.kind === "unclear" || words.kind === "too_long")
    return { ack: await ask(deps, incoming, words) }
  // The bare command opens the form. The bot opens it first, because Slack's trigger expires after
  // three seconds.
  if (words.kind === "blank") return { work: () => offerForm(deps, command) }
  switch (words.kind === "verb" && words.verb) {
    case "help":
      return { ack: helpMessage() }
    // These verbs skip the gate: people who may no longer ask can have themselves forgotten, and an
    // admin can run the doctor when the gate itself is broken.
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

/** Takes the answer, which counts once. After a crash here the person has to confirm again, nothing worse. */
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
