import type { Forgotten } from "../audit/entry.ts"
import type { Message } from "../ports/message.ts"
import { actions, button, line, plain, section } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

export function auditMessage(): Message {
  return line("Preparing the audit. I'll DM you the file.")
}

export function noAuditMessage(): Message {
  return line("*No audit is kept here.* To keep one, set `AUDIT_DAYS` to a number of days.")
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

/** Whoever asks to be forgotten is told what goes with it. @param asked opaque, for the answer */
export function forgetQuestion(
  { waiting, running }: { waiting: number; running: number },
  asked: string,
): Message {
  const text = [
    "*Delete your prompts and name?* This includes the audit, your open forms and your reports.",
    waiting > 0 && `${requests(waiting)} in line will be cancelled.`,
    running > 0 && `${requests(running)} already with the agent will still finish there.`,
    "This can't be undone.",
  ]
    .filter(Boolean)
    .join(" ")
  return {
    text: plain(text),
    blocks: [
      section(text),
      ...actions([
        button({ action: "forget_me", label: "Delete my data", value: asked, style: "danger" }),
        button({ action: "keep_me", label: "Keep it", value: asked }),
      ]),
    ],
  }
}

export function forgettingMessage(): Message {
  return line("Deleting your prompts and name. This takes a moment.")
}

export function forgottenMessage({ cancelled, running }: Forgotten): Message {
  const text = [
    "*Your prompts and name are deleted,* audit included.",
    cancelled > 0 &&
      `${requests(cancelled)} in line ${cancelled === 1 ? "was" : "were"} cancelled.`,
    running > 0 && `${requests(running)} already with the agent will still finish there.`,
    "I can't delete Slack messages or data held by the documentation service.",
  ]
  return line(text.filter(Boolean).join(" "))
}

export function keptMessage(): Message {
  return line("OK, nothing was deleted.")
}

/** The question is too old, was answered, or is another person's. */
export function forgetExpiredMessage(): Message {
  return line(
    "*That question has expired.* To delete your prompts and name, type `/docs-agent forget-me`.",
  )
}

function requests(count: number): string {
  return count === 1 ? "One request" : `${count.toLocaleString("en")} requests`
}
