import type { Message } from "../ports/message.ts"
import type { SuggestedPrompt } from "../ports/outbound.ts"
import { line } from "./blocks.ts"

/** The first message where a person writes to the agent. */
export function greeting(): Message {
  return line(
    "*Tell me what to change in the docs.* I'll open a pull request and post the link in your message's thread. Reply there to follow up, or say `help` to see what else I can do.",
  )
}

/** What people are offered to ask for; each can be sent as it stands. The manifest for agents has the same. */
export const SUGGESTED_PROMPTS: readonly SuggestedPrompt[] = [
  {
    title: "Check the quickstart",
    message:
      "Go through the quickstart as a new user would, and fix every step that is wrong or missing.",
  },
  {
    title: "Fix broken links",
    message: "Find the links in the docs that lead nowhere, and fix or remove them.",
  },
  {
    title: "Correct typos",
    message: "Correct the spelling and grammar of the docs without changing what they say.",
  },
  {
    title: "Add missing examples",
    message: "Find the API pages that have no example of a request, and add one to each.",
  },
]
