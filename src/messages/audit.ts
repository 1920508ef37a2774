import type { Message } from "../ports/message.ts"
import { button, line } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

/** Answers `/docs-agent audit`. `sent` goes with the file. */
export function auditMessage(
  what:
    | { is: "preparing" | "off" }
    | { is: "sent"; entries: number }
    | { is: "failed"; code: string },
): Message {
  switch (what.is) {
    case "preparing":
      return line("Preparing the audit. I'll DM you the file.")
    case "off":
      return line("*The audit is off.* Set `AUDIT_DAYS` to turn it on.")
    case "sent":
      return line(`*Audit: ${requests(what.entries)}.* Times are in UTC.`)
    case "failed":
      return line(
        `*Slack rejected the file* (\`${foreignLine(what.code, 60)}\`). Try again in a minute. If it keeps happening, \`/docs-agent doctor\` says what's missing.`,
      )
  }
}

/** Open requests of a person who asks to be forgotten. */
interface Open {
  waiting: number
  running: number
}

/** Asks before a person is forgotten, and names what goes with it. @param asked opaque, for the answer */
export function forgetQuestion({ waiting, running }: Open, asked: string): Message {
  const text = [
    "*Delete your requests and name?* This includes the audit, your open forms and your reports.",
    waiting > 0 && `${requests(waiting)} in the queue will be cancelled.`,
    stillRunning(running),
    "This can't be undone.",
  ]
  return line(text.filter(Boolean).join(" "), [
    button({ action: "forget_me", label: "Delete my data", value: asked, style: "danger" }),
    button({ action: "keep_me", label: "Keep my data", value: asked }),
  ])
}

export function forgettingMessage(): Message {
  return line("Deleting your requests and name. This takes a moment.")
}

export function forgottenMessage({ waiting, running }: Open): Message {
  const text = [
    "*Your data has been deleted*, including your audit entries.",
    waiting > 0 && `${requests(waiting)} in the queue ${waiting === 1 ? "was" : "were"} cancelled.`,
    stillRunning(running),
    "I can't delete Slack messages or data held by the documentation service.",
  ]
  return line(text.filter(Boolean).join(" "))
}

/** Answers a question that is too old, was answered, or is another person's. */
export function forgetExpiredMessage(): Message {
  return line("*This has expired.* To delete your requests and name, type `/docs-agent forget-me`.")
}

function stillRunning(count: number): string {
  if (count === 0) return ""
  return `${requests(count)} ${count === 1 ? "is" : "are"} already running and will still finish.`
}

function requests(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "request" : "requests"}`
}
