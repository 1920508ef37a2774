import type { Forgotten } from "../audit/entry.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

export function auditMessage(): Message {
  return line("Preparing the audit. I'll DM you the file.")
}

export function noAuditMessage(): Message {
  return line("*No audit is kept here.* `AUDIT_DAYS` is 0.")
}

export function auditSentMessage(entries: number): Message {
  const count = entries === 1 ? "One entry" : `${entries.toLocaleString("en")} entries`
  return line(
    `*${count}* in the CSV below: who asked for what, where, when, and how it ended. Times are UTC.`,
  )
}

export function auditUnsentMessage(code: string): Message {
  return line(
    `:no_entry: *Slack rejected the file* (\`${foreignLine(code, 60)}\`). Try again in a minute. If it keeps happening, \`/docs-agent doctor\` says what's missing.`,
  )
}

export function forgettingMessage(): Message {
  return line("Deleting your prompts and name. This takes a moment.")
}

export function forgottenMessage({ kept }: Forgotten): Message {
  const waiting =
    kept === 0
      ? ""
      : ` ${kept === 1 ? "One request of yours is still queued" : `${kept} requests of yours are still queued`} and kept until it starts. Cancel it, or ask again once it has started.`
  return line(
    `*Your prompts and name are deleted,* audit included.${waiting} I can't delete Slack messages or data held by the documentation service.`,
  )
}
