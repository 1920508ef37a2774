import type { Message } from "../ports/message.ts"
import type { SuggestedPrompt } from "../ports/outbound.ts"
import { line } from "./blocks.ts"

/** Greets a person who writes to the agent for the first time. */
export function greeting(): Message {
  return line(
    "*Tell me what to change in the docs.* I'll reply in a thread with a pull request to review. For more, say `help`.",
  )
}

/** Requests that people are offered; each can be sent as it stands. The manifest for agents has the same. */
export const SUGGESTED_PROMPTS: readonly SuggestedPrompt[] = [
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
