import type { Message } from "../slack/message.ts"
import { adminsOnlyMessage, doctorMessage, examiningMessage } from "../views/doctor.ts"
import type { AgentDeps } from "./deps.ts"
import type { CommandPayload } from "./payloads.ts"
import { readCommand } from "./words.ts"

/** The answer to an admin's word, at once; the work is done by `adminWork`. */
export function adminAnswer(deps: AgentDeps, user: string): Message {
  return deps.rules.admins.has(user) ? examiningMessage() : adminsOnlyMessage()
}

/**
 * The slow part of an admin's word, after Slack has its ack. Answers privately, in the same place.
 * It changes nothing, so a crash in between costs an answer and no more.
 */
export async function adminWork(deps: AgentDeps, command: CommandPayload): Promise<void> {
  const isAdmin = deps.rules.admins.has(command.user_id)
  if (!isAdmin || readCommand(command.text).kind !== "doctor") return
  const message = doctorMessage(await deps.admin.examine())
  if (command.response_url) await deps.outbound.respond(command.response_url, message)
  else await deps.outbound.direct(command.user_id, message)
}
