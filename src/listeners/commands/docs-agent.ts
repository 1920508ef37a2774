import { readWords } from "../../asking/read-text.ts"
import { helpMessage } from "../../messages/help.ts"
import { adminsOnly, forgetQuestion, say } from "../../messages/private-answers.ts"
import { sendAudit } from "../../operating/audit.ts"
import { doctorMessage } from "../../operating/doctor/finding.ts"
import type { Command } from "../../slack/payloads.ts"
import { actOnce, type Reply } from "../acknowledge.ts"
import { acceptTyped } from "../answer-request.ts"
import { answerWords } from "../answer-words.ts"
import type { AgentDeps } from "../deps.ts"
import { offerForm } from "../views/ask-form.ts"
import { answerReport, answerResults } from "./report-and-results.ts"

export async function docsAgent(deps: AgentDeps, command: Command): Promise<Reply> {
  const sub = (await answerReport(deps, command)) ?? (await answerResults(deps, command))
  return sub ?? answerTyped(deps, command)
}

async function answerTyped(deps: AgentDeps, command: Command): Promise<Reply> {
  const { channel, user, replyUrl, triggerId } = command
  const typed = readWords(command.typed, "command")
  if ("words" in typed) {
    const delivery = `command:${triggerId}`
    const incoming = { channel, user, replyUrl, delivery, prompt: { words: "" } }
    return { ack: await acceptTyped(deps, incoming, typed) }
  }
  // The bot opens the form at once, because Slack's trigger expires after three seconds.
  if (typed.kind === "blank") return { work: () => offerForm(deps, command, {}, typed) }
  const isAdmin = deps.context.settings.access.admins.includes(user)
  switch (typed.kind === "verb" && typed.verb) {
    case "help":
      return { ack: helpMessage() }
    // These verbs skip the gate: people who may no longer ask can have themselves forgotten, and an
    // admin can run the doctor when the gate itself is broken.
    case "forget-me":
      return { ack: forgetQuestion(await deps.forgetting.ask(user)) }
    case "doctor":
      if (!isAdmin) return { ack: adminsOnly(deps.context.settings.access.admins) }
      return { ack: say("examining"), work: async () => doctorMessage(await deps.examine()) }
    case "audit":
      if (!isAdmin) return { ack: adminsOnly(deps.context.settings.access.admins) }
      if (deps.context.settings.auditDays === 0) return { ack: say("audit_off") }
      return { ack: say("audit_preparing"), work: () => sendAudit(deps.context, user) }
    default:
      return actOnce(deps, triggerId, async () => ({
        ack: await answerWords(deps, { channel, user }, typed),
      }))
  }
}
