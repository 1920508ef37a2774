import type { Message } from "./blocks.ts"
import { button, line } from "./blocks.ts"
import { counted } from "./mrkdwn.ts"

/** Accompanies the file that `/docs-agent audit` sends. */
export function auditSent(entries: number): Message {
  return line(`*Audit: ${counted(entries, "request")}.* Times are in UTC.`)
}

/** Asks a person to confirm before the bot forgets them. @param asked opaque id, for the answer */
export function forgetQuestion(asked: string): Message {
  return line(
    "*Delete your requests and name?* This includes the audit, your open forms and your reports. Queued requests will be cancelled; running ones will still finish. This can't be undone.",
    [
      button({ action: "forget_me", label: "Delete my data", value: asked, style: "danger" }),
      button({ action: "keep_me", label: "Keep my data", value: asked }),
    ],
  )
}

/** Confirms that the bot forgot a person, and says how many of their requests waited and ran. */
export function forgottenMessage(facts: { cancelled: number; running: number }): Message {
  const { cancelled, running } = facts
  const text = [
    "*Your data has been deleted*, including your audit entries.",
    cancelled > 0 &&
      `${counted(cancelled, "request")} in the queue ${cancelled === 1 ? "was" : "were"} cancelled.`,
    running > 0 &&
      `${counted(running, "request")} ${running === 1 ? "is" : "are"} already running and will still finish.`,
    "I can't delete Slack messages or data held by the documentation service.",
  ]
  return line(text.filter(Boolean).join(" "))
}
