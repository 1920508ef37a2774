import { truncate } from "../text/truncate.ts"
import type { Message, Modal } from "./blocks.ts"
import { actions, button, line, section } from "./blocks.ts"
import { plainLine, SHOUT } from "./mrkdwn.ts"

/** Says in one line what the app does. */
export const LEAD = "*Ask for a docs change and get a pull request to review.*"

const HELP = [
  LEAD,
  "Changes are written by AI. Review every pull request before merging.",
  "• `/docs-agent &lt;what to change&gt;` sends a request. On its own, it opens a form.",
  "• In a thread, mention me: I'll read the conversation first. Mention me again to change the same pull request.",
  "• Also in a thread, mention me with `status`, `cancel`, `retry` or `mute`.",
  "• `/docs-agent status`: your requests · `quota`: the hourly limit · `cancel &lt;id&gt;`: cancel a queued request",
  "• To start from a message: ⋮ → *Ask the docs agent*",
  "• Docs traffic: `/docs-visitors`",
  "Also: `/docs-agent forget-me` deletes your requests and name. Admins: `/docs-agent doctor` checks the setup; `audit` exports a log of requests.",
].join("\n")

/** Explains how to ask, in few words. */
export function helpMessage(): Message {
  return { text: HELP, blocks: [section(HELP), ...actions([askButton()])] }
}

/** Shows the same over the Home tab, whose first button asks. */
export function helpModal(): Modal {
  return {
    type: "modal",
    title: { type: "plain_text", text: "How it works" },
    close: { type: "plain_text", text: "Close" },
    blocks: [section(HELP)],
  }
}

/** Opens the form to ask in. */
export function askButton() {
  return button({ action: "open_ask", label: "Request a change", value: "ask" })
}

/** Greets a person who writes to the agent for the first time. */
export function greeting(): Message {
  return line(
    "*Tell me what to change in the docs.* I'll reply in a thread with a pull request to review. For more, say `help`.",
  )
}

/** Requests that people are offered; each can be sent as it stands. The manifest for agents has the same. */
export const SUGGESTED_PROMPTS = [
  {
    title: "Check the quickstart",
    message:
      "Go through the quickstart as a new user would, and fix every step that is wrong or missing.",
  },
  {
    title: "Fix broken links",
    message: "Find broken links in the docs and fix or remove them.",
  },
  {
    title: "Correct typos",
    message: "Correct the spelling and grammar of the docs without changing what they say.",
  },
  {
    title: "Add missing examples",
    message: "Add a request example to every API page that lacks one.",
  },
]

/** "Title for the agent session (max 200 characters)": whether of code points or of UTF-16 is not said. */
const TITLE_MAX = 200

/**
 * Names a session: its request on one line. Slack does not say whether it reads markup in a
 * title, so there are no brackets for any.
 */
export function sessionTitle(words: string): string {
  const plain = plainLine(words.replaceAll("<", "‹").replaceAll(">", "›"), TITLE_MAX)
  const title = plain.replace(SHOUT, "@\u200b")
  return title.length <= TITLE_MAX ? title : truncate(title, TITLE_MAX / 2)
}
