import { channelProject, projectNames } from "../jobs/project-choice.ts"
import { submit } from "../jobs/submit.ts"
import type { Message } from "../ports/message.ts"
import type { Click, SentForm, Shortcut } from "../slack/payload-interactions.ts"
import type { Command } from "../slack/payloads.ts"
import { quoteLines } from "../text/lines.ts"
import { line } from "../views/blocks.ts"
import { askModal, CHANNEL_INPUT, PROJECT_INPUT, PROMPT_INPUT } from "../views/modal.ts"
import { projectKey } from "../views/project-key.ts"
import { admit } from "./admit.ts"
import type { AgentDeps } from "./deps.ts"
import { namesIn, plainText } from "./names.ts"
import { submissionMessage } from "./submission.ts"
import { isBlank } from "./words.ts"

/** What to answer a submitted form with: nothing closes it, errors stay at their inputs. */
export type FormAnswer = undefined | { response_action: "errors"; errors: Record<string, string> }

/** What is in the form when it opens. */
interface Filled {
  /** Words for the person to go on from. */
  initial?: string
  /** The project that it is about; else the channel's own. */
  project?: string
  /** A message that the request is about; its thread becomes the job's. */
  quoting?: { ts: string; thread_ts?: string | undefined; user?: string | undefined; text: string }
}

/**
 * The form to ask in, from whichever entry: who may, a draft with all that the form does not show, and
 * the modal.
 * @returns the refusal of a person who may not ask
 */
export async function openForm(
  deps: AgentDeps,
  caller: Command | Click | Shortcut,
  { initial, quoting, project: about }: Filled = {},
): Promise<Message | undefined> {
  const entry = await admit(deps, caller)
  if ("refusal" in entry) return entry.refusal
  const { user, channel = "", triggerId } = caller
  if (!triggerId) return undefined
  const quoted = quoting && (await plainText(quoting.text, deps.profileForName))
  const context = quoted === undefined ? undefined : await quote(deps, quoting?.user, quoted)
  const known = projectNames(deps).find((name) => name === about)
  const project = known ?? (await channelProject(deps, channel))
  const draft = await deps.jobs.saveDraft({
    project,
    team: caller.team ?? entry.profile.team,
    channel,
    user,
    ...(quoting ? { thread: quoting.thread_ts ?? quoting.ts } : {}),
    ...(caller.kind === "command" ? { replyUrl: caller.replyUrl } : {}),
    prompt: { words: "", ...(context === undefined ? {} : { context }) },
  })
  const view = askModal({
    draft,
    project,
    projects: projectNames(deps),
    // A direct message between two people cannot be chosen in the form; the draft remembers it.
    ...(channel === "" || channel.startsWith("D") ? {} : { channel }),
    ...(initial === undefined ? {} : { initial }),
    ...(quoted === undefined ? {} : { quoted }),
  })
  await deps.outbound.openModal(triggerId, view)
  return undefined
}

async function quote(deps: AgentDeps, speaker: string | undefined, text: string): Promise<string> {
  const names = speaker
    ? await namesIn(`<@${speaker}>`, deps.profileForName)
    : new Map<string, string>()
  const name = (speaker && names.get(speaker)) ?? "somebody"
  return `A Slack message, quoted for context:\n${quoteLines(`${name}: ${text}`)}`
}

/** The form was sent: durable when this resolves, and only then does it close. */
export async function submitForm(deps: AgentDeps, form: SentForm): Promise<FormAnswer> {
  const words = form.inputs[PROMPT_INPUT]?.[PROMPT_INPUT]?.value ?? ""
  if (isBlank(words)) return fault(PROMPT_INPUT, "Say what should change in the docs.")
  const draft = await deps.jobs.draft(form.draft)
  if (draft?.user !== form.user)
    return fault(PROMPT_INPUT, "This form has expired. Open a new one.")
  const chosen = form.inputs[CHANNEL_INPUT]?.[CHANNEL_INPUT]?.selected_conversation
  const channel = chosen ?? draft.channel
  if (!channel) return fault(CHANNEL_INPUT, "Choose where to post progress.")
  const entry = await admit(deps, { user: form.user, channel })
  if ("refusal" in entry) return fault(CHANNEL_INPUT, plainWords(entry.refusal.text))
  const picked = form.inputs[PROJECT_INPUT]?.[PROJECT_INPUT]?.selected_option?.value
  const request = {
    ...draft,
    project: projectNames(deps).find((name) => projectKey(name) === picked) ?? draft.project,
    channel,
    // Another channel has neither the thread nor the command's reply address.
    ...(channel === draft.channel ? {} : { thread: undefined, replyUrl: undefined }),
    prompt: { ...draft.prompt, words: words.trim() },
    idempotencyKey: `form:${form.view}`,
  }
  const submission = await submit(deps, request, entry.profile)
  const message = await submissionMessage(deps, submission)
  if (!message) return undefined
  if (submission.outcome === "full") return fault(PROMPT_INPUT, plainWords(message.text))
  // A form has no place for buttons: the question about a duplicate goes to the person directly.
  if (draft.replyUrl) await deps.outbound.respond(draft.replyUrl, message)
  else await deps.outbound.direct(form.user, message)
  return undefined
}

/** The form stays open with what was typed, and says why. */
export function formFailed({ text }: Message): FormAnswer {
  return fault(PROMPT_INPUT, plainWords(text))
}

function fault(block: string, text: string): FormAnswer {
  return { response_action: "errors", errors: { [block]: text } }
}

/** Errors of a form are plain text: no emoji codes, no code marks, no mentions. */
function plainWords(text: string): string {
  return line(text)
    .text.replaceAll("`", "")
    .replace(/<@([A-Z0-9]+)>/g, "$1")
}
