import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../slack/message.ts"
import {
  auditMessage,
  auditUnsentMessage,
  forgettingMessage,
  forgottenMessage,
  noAuditMessage,
} from "../views/audit.ts"
import { adminsOnlyMessage, doctorMessage, examiningMessage } from "../views/doctor.ts"
import type { AgentDeps } from "./deps.ts"
import type { CommandPayload } from "./payloads.ts"
import { readCommand } from "./words.ts"

/** Words of `/docs-agent` whose answer takes longer than Slack waits. */
type SlowWord = "doctor" | "audit" | "forget-me"

export function isSlowWord(kind: string): kind is SlowWord {
  return kind === "doctor" || kind === "audit" || kind === "forget-me"
}

/** What is said at once; `slowWork` does the rest. */
export function slowAnswer(deps: AgentDeps, word: SlowWord, user: string): Message {
  if (word === "forget-me") return forgettingMessage()
  if (!deps.rules.admins.has(user)) return adminsOnlyMessage()
  if (word === "doctor") return examiningMessage()
  return deps.admin.sendAudit ? auditMessage() : noAuditMessage()
}

/**
 * The slow part, after Slack has its ack; answers privately, in the same place. All of it may be asked
 * for again, so a crash in between costs an answer and no more.
 */
export async function slowWork(deps: AgentDeps, command: CommandPayload): Promise<void> {
  const { kind } = readCommand(command.text)
  const message =
    kind === "forget-me"
      ? forgottenMessage(await deps.forget(command.user_id))
      : deps.rules.admins.has(command.user_id) && (await adminWork(deps, kind, command.user_id))
  if (!message) return
  if (command.response_url) await deps.outbound.respond(command.response_url, message)
  else await deps.outbound.direct(command.user_id, message)
}

async function adminWork(
  { admin }: AgentDeps,
  kind: string,
  user: string,
): Promise<Message | undefined> {
  if (kind === "doctor") return doctorMessage(await admin.examine())
  if (kind !== "audit") return undefined
  try {
    await admin.sendAudit?.(user)
    return undefined
  } catch (error) {
    if (error instanceof SlackError) return auditUnsentMessage(error.code)
    throw error
  }
}
