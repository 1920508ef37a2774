import type { KnownBlock, PlainTextOption } from "@slack/types"
import type { Modal } from "../ports/message.ts"
import { truncate } from "../text/truncate.ts"
import { context } from "./blocks.ts"
import { plainLines } from "./mrkdwn.ts"
import { projectKey } from "./project-key.ts"
import { quote } from "./quote.ts"

export const ASK_MODAL = "ask_docs_agent"
export const PROMPT_INPUT = "prompt"
export const PROJECT_INPUT = "project"
export const CHANNEL_INPUT = "channel"

/** Slack's own limit of an input; of what is longer the start is filled in. */
const LONGEST_INPUT = 3000

const IN_A_THREAD = "Everyone there can see it. The pull request comes back in the thread."
/** The card of a request about a message is a reply to it. */
const IN_ITS_THREAD =
  "I'll reply in that message's thread, or start one in another channel. Everyone there can see it."

/** The form to ask in: `draft` is the opaque id under which the rest of the request is kept. */
export function askModal(facts: {
  draft: string
  /** A message that the request is about. */
  quoted?: string
  initial?: string
  /** Where the card goes unless the person chooses another place. */
  channel?: string
  /** The project it goes to; with several there is a picker. */
  project: string
  projects: readonly string[]
}): Modal {
  const quoted: KnownBlock[] = facts.quoted ? [quote(facts.quoted, 1000)] : []
  return {
    type: "modal",
    callback_id: ASK_MODAL,
    private_metadata: facts.draft,
    title: { type: "plain_text", text: "Ask the docs agent" },
    submit: { type: "plain_text", text: "Ask" },
    close: { type: "plain_text", text: "Not now" },
    blocks: [
      ...quoted,
      {
        type: "input",
        block_id: PROMPT_INPUT,
        label: { type: "plain_text", text: "What should change in the docs?" },
        element: {
          type: "plain_text_input",
          action_id: PROMPT_INPUT,
          multiline: true,
          max_length: LONGEST_INPUT,
          focus_on_load: true,
          ...(facts.initial ? { initial_value: plainLines(facts.initial, LONGEST_INPUT) } : {}),
        },
      },
      {
        type: "input",
        block_id: CHANNEL_INPUT,
        optional: true,
        label: { type: "plain_text", text: "Where should I post progress?" },
        hint: { type: "plain_text", text: "I have to be in that conversation." },
        element: {
          type: "conversations_select",
          action_id: CHANNEL_INPUT,
          ...(facts.channel ? { initial_conversation: facts.channel } : {}),
          filter: { include: ["public", "private"], exclude_bot_users: true },
        },
      },
      ...(facts.projects.length > 1 ? [projectInput(facts.project, facts.projects)] : []),
      context(facts.quoted === undefined ? IN_A_THREAD : IN_ITS_THREAD),
    ],
  }
}

function projectInput(project: string, projects: readonly string[]): KnownBlock {
  const options = pickable(projects, project).map(projectOption)
  return {
    type: "input",
    block_id: PROJECT_INPUT,
    label: { type: "plain_text", text: "Project" },
    element: {
      type: "static_select",
      action_id: PROJECT_INPUT,
      options,
      initial_option: projectOption(project),
    },
  }
}

/** What a select can offer: it takes at most 100 options, and the chosen one must be among them. */
export function pickable(projects: readonly string[], chosen: string): readonly string[] {
  const first = projects.slice(0, 100)
  return first.includes(chosen) ? first : [chosen, ...first.slice(1)]
}

/** One project in a select. */
export function projectOption(project: string): PlainTextOption {
  return {
    text: { type: "plain_text", text: truncate(project, 75), emoji: false },
    value: projectKey(project),
  }
}
