import type { Forgotten } from "../audit/entry.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

export function auditMessage(): Message {
  return line("Collecting; the audit comes as a file in our direct messages.")
}

export function noAuditMessage(): Message {
  return line("No audit is kept here: `AUDIT_DAYS` is 0.")
}

export function auditSentMessage(entries: number): Message {
  const count = entries === 1 ? "One entry" : `${entries.toLocaleString("en")} entries`
  return line(
    `${count}, as a CSV file below: who asked for what, where, when, and what came of it. Times are UTC.`,
  )
}

export function auditUnsentMessage(code: string): Message {
  return line(
    `:no_entry: Slack did not take the file (\`${foreignLine(code, 60)}\`). Try again in a minute; if it goes on, \`/docs-agent doctor\` says what is missing.`,
  )
}

export function forgettingMessage(): Message {
  return line("Forgetting what you asked for; this takes a moment.")
}

export function forgottenMessage({ kept }: Forgotten): Message {
  const waiting =
    kept === 0
      ? ""
      : ` ${kept === 1 ? "One request of yours still waits" : `${kept} requests of yours still wait`} and keeps its words until it starts: cancel it, or ask to be forgotten again when it has started.`
  return line(
    `Forgotten: the words of your prompts and your name, also in the audit.${waiting} The cards in Slack, and what the documentation service has received, are not the bot's to delete.`,
  )
}
