import type { InputBlock, StaticSelect } from "@slack/types"
import { truncate } from "../lib/truncate.ts"
import type { Message, Modal } from "../slack/message-types.ts"
import { button, context, line, quote } from "./blocks.ts"
import { plainLines } from "./mrkdwn.ts"

export const ASK_MODAL = "ask_docs_agent"
export const PROMPT_INPUT = "prompt"
export const PROJECT_INPUT = "project"
export const CHANNEL_INPUT = "channel"

/** Maximum length of an input in characters, set by Slack; a longer text is cut. */
export const MAX_INPUT = 3000

type ProjectChoice = { key: string; name: string }

export function askModal(facts: {
  /** Opaque id of the draft, which holds what the form does not show. */
  draft: string
  /** Text of the message that the request is about, as far as the agent will see it. */
  quoted?: string | undefined
  isAboutMessage?: boolean
  /** True if parts of that message are from guests or other organizations, who may not ask. */
  leavesOut?: boolean
  /** True if the agent also gets the messages of the thread up to the quoted one. */
  withThread?: boolean
  initial?: string | undefined
  channel?: string | undefined
  project: string
  projects: readonly ProjectChoice[]
}): Modal {
  const { draft, quoted, initial, channel, project, projects } = facts
  return {
    type: "modal",
    callback_id: ASK_MODAL,
    private_metadata: draft,
    title: { type: "plain_text", text: "Request a change" },
    submit: { type: "plain_text", text: "Send request" },
    close: { type: "plain_text", text: "Cancel" },
    blocks: [
      ...(quoted ? [quote(quoted, 1000)] : []),
      ...(facts.leavesOut ? [context(LEFT_OUT)] : []),
      input(PROMPT_INPUT, "What should change in the docs?", {
        type: "plain_text_input",
        action_id: PROMPT_INPUT,
        multiline: true,
        max_length: MAX_INPUT,
        focus_on_load: true,
        ...(initial ? { initial_value: plainLines(initial, MAX_INPUT) } : {}),
      }),
      {
        ...input(CHANNEL_INPUT, "Channel for updates", {
          type: "conversations_select",
          action_id: CHANNEL_INPUT,
          ...(channel ? { initial_conversation: channel } : {}),
          filter: { include: ["public", "private", "mpim"] },
        }),
        optional: true,
        hint: {
          type: "plain_text",
          text: "Everyone there can see your request. Leave this empty to get updates in a direct message. For a private channel, invite me first.",
        },
      },
      ...(projects.length > 1 ? [input(PROJECT_INPUT, "Project", picker(project, projects))] : []),
      ...(facts.isAboutMessage ? [context(aboutThread(facts.withThread))] : []),
    ],
  }
}

const LEFT_OUT =
  "*The agent won't see all of this message*: messages from guests and other organizations aren't included. Describe below what it needs to know."

function aboutThread(withThread = false): string {
  const also = withThread ? " The agent also reads the thread up to this message." : ""
  return `I'll reply in the message's thread, or start a new one if you choose another channel.${also}`
}

function input(block: string, label: string, element: InputBlock["element"]): InputBlock {
  return { type: "input", block_id: block, label: { type: "plain_text", text: label }, element }
}

/** Puts the chosen project first, because Slack allows 100 options and requires it among them. */
function picker(project: string, projects: readonly ProjectChoice[]): StaticSelect {
  const chosen = projects.filter(({ key }) => key === project)
  const others = projects.filter(({ key }) => key !== project)
  const options = [...chosen, ...others].slice(0, 100).map(({ key, name }) => ({
    text: { type: "plain_text" as const, text: truncate(name, 75), emoji: false },
    value: key,
  }))
  const initial = chosen.length > 0 && options[0] ? { initial_option: options[0] } : {}
  return { type: "static_select", action_id: PROJECT_INPUT, options, ...initial }
}

/** Offers the form again. @param draft opaque id of its contents */
export function formLate(draft: string): Message {
  return line("*The form took too long to open.*", [
    button({ action: "open_draft", label: "Open the form", value: draft }),
  ])
}
