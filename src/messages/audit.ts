import type { Message } from "../ports/message.ts"
import { button, line } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

/** Goes with the file that `/docs-agent audit` sends. */
export function auditSent(entries: number): Message {
  return line(`*Audit: ${requests(entries)}.* Times are in UTC.`)
}

/** @param code Slack's */
export function auditFailed(code: string): Message {
  return line(
    `*Slack rejected the file* (\`${foreignLine(code, 60)}\`). Try again in a minute. If it keeps happening, \`/docs-agent doctor\` says what's missing.`,
  )
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

export function forgottenMessage({ waiting, running }: Open): Message {
  const text = [
    "*Your data has been deleted*, including your audit entries.",
    waiting > 0 && `${requests(waiting)} in the queue ${waiting === 1 ? "was" : "were"} cancelled.`,
    stillRunning(running),
    "I can't delete Slack messages or data held by the documentation service.",
  ]
  return line(text.filter(Boolean).join(" "))
}

function stillRunning(count: number): string {
  if (count === 0) return ""
  return `${requests(count)} ${count === 1 ? "is" : "are"} already running and will still finish.`
}

function requests(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "request" : "requests"}`
}
