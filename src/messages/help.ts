import type { Message } from "./blocks.ts"
import { button, line } from "./blocks.ts"
import { plainLine, SHOUT } from "./mrkdwn.ts"

/** Explains in one line what the app does, then how to ask. */
export const HELP = [
  "*Ask for a docs change and get a pull request to review.*",
  "Changes are written by AI. Review every pull request before merging.",
  "• `/docs-agent &lt;what to change&gt;` sends a request. On its own, it opens a form.",
  "• In a thread, mention me: I'll read the conversation first. Mention me again to change the same pull request.",
  "• Also in a thread, mention me with `status`, `cancel`, `retry` or `mute`.",
  "• `/docs-agent status`: your requests · `quota`: the hourly limit · `cancel &lt;id&gt;`: cancel a queued request",
  "• To start from a message: ⋮ → *Ask the docs agent*",
  "• Docs traffic: `/docs-visitors`",
  "Also: `/docs-agent forget-me` deletes your requests and name. Admins: `/docs-agent doctor` checks the setup; `audit` exports a log of requests.",
]

export function helpMessage(): Message {
  return line(HELP.join("\n"), [askButton()])
}

export function askButton() {
  return button({ action: "open_ask", label: "Request a change", value: "ask" })
}

export function greeting(): Message {
  return line(
    "*Tell me what to change in the docs.* I'll reply in a thread with a pull request to review. For more, say `help`.",
  )
}

/**
 * The longest title of a session, in code points. Slack's limit, "max 200 characters", does not say
 * whether those are code points or UTF-16 units, of which a code point takes up to two.
 */
const TITLE_MAX = 100

/**
 * Titles a session with its request on one line. Slack does not say whether it reads markup in
 * titles, so the title contains no angle brackets.
 */
export function sessionTitle(words: string): string {
  const title = plainLine(words.replaceAll("<", "‹").replaceAll(">", "›"), TITLE_MAX)
  return title.replace(SHOUT, "@\u200b")
}
