import type { Message } from "../slack/message-types.ts"
import { button, line, plain } from "./blocks.ts"
import { plainLine, SHOUT } from "./mrkdwn.ts"

export const HELP = [
  "*Ask for a docs change and get a pull request to review.*",
  "Changes are written by AI. Review every pull request before merging.",
  "• `/docs-agent &lt;what to change&gt;` sends a request; `/docs-agent` alone opens a form.",
  "• Or mention me. In a thread, I'll read the conversation first; mention me again to change the same pull request.",
  "• In a request's thread, mention me with `status`, `cancel`, `retry`, `mute` or `unmute`.",
  "• `/docs-agent status`: your requests · `quota`: the hourly limit · `cancel &lt;id&gt;`: cancel a queued request · `report [30d]`: what came of all requests",
  "• To start from a message: ⋮ → *Ask the docs agent*",
  "• Docs traffic: `/docs-visitors`",
  "Also: `/docs-agent forget-me` deletes your requests and name. Admins: `/docs-agent doctor` checks the setup; `audit` exports the audit log.",
]

export function helpMessage(): Message {
  return line(HELP.join("\n"), [askButton()])
}

export function askButton() {
  return button({ action: "open_ask", label: "Request a change", value: "ask" })
}

export function greeting(): Message {
  return line(
    "*Tell me what to change in the docs.* I'll reply in a thread with a pull request to review. For more: `/docs-agent help`",
  )
}

/** Maximum title length in code points: Slack's "max 200 characters" may mean UTF-16 units. */
const MAX_TITLE = 100

/** Makes the title of a message of the bot's own: its first line, without markup. */
export function messageTitle({ text }: Message): string {
  const [first = ""] = text.split("\n")
  return sessionTitle(plain(first.replace(/<[@#!][^<>]*>\s*/g, "")))
}

/** Makes a session's title. Replaces angle brackets, because Slack may read markup in it. */
export function sessionTitle(words: string): string {
  const title = plainLine(words.replaceAll("<", "‹").replaceAll(">", "›"), MAX_TITLE)
  return title.replace(SHOUT, "@\u200b")
}
