import type { Message } from "../slack/message-types.ts"
import { button, line } from "./blocks.ts"

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
