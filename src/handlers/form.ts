import { fileLine } from "../jobs/attached.ts"
import type { Draft, Prompt } from "../jobs/ports.ts"
import { channelProject, projectNames } from "../jobs/project-choice.ts"
import { submit } from "../jobs/submit.ts"
import { quoteOne, type TalkMessage } from "../jobs/talk.ts"
import type { Message } from "../ports/message.ts"
import type { Click, SentForm, Shortcut } from "../slack/payload-interactions.ts"
import type { Command } from "../slack/payloads.ts"
import { toPlainText } from "../text/plain-text.ts"
import { line } from "../views/blocks.ts"
import { askModal, CHANNEL_INPUT, PROJECT_INPUT, PROMPT_INPUT } from "../views/modal.ts"
import { projectKey } from "../views/project-key.ts"
import { admit } from "./admit.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"
import { namesIn } from "./names.ts"
import { isBlank } from "./parse-command.ts"
import { submissionMessage } from "./submission.ts"
import { type Told, tell } from "./tell.ts"

/** What is in the form when it opens. */
interface Filled {
  /** Text that the person can edit. */
  initial?: string
  /** The project that it is about; else the channel's own. */
  project?: string
  /** A message that the request is about; its thread becomes the job's. */
  quoting?: Shortcut["message"]
}

/** Opens the form to ask in, from whichever entry, or says privately why not. Acknowledge first. */
export async function offerForm(
  deps: AgentDeps,
  caller: Command | Click | Shortcut,
  filled: Filled = {},
): Promise<void> {
  const refusal = await openForm({ ...deps, gate: deps.afterAck.gate }, caller, filled)
  if (refusal) await tell(deps, caller, refusal)
}

/**
 * Checks who may ask, keeps a draft with all that the form does not show, and opens the modal.
 * @returns the refusal of a person who may not ask
 */
async function openForm(
  deps: AgentDeps,
  caller: Command | Click | Shortcut,
  { initial, quoting, project: about }: Filled,
): Promise<Message | undefined> {
  const entry = await admit(deps, caller)
  if ("refusal" in entry) return entry.refusal
  const { user, channel = "", triggerId } = caller
  if (!triggerId) return undefined
  const quoted = quoting && (await quote(deps, quoting))
  const known = projectNames(deps).find((name) => name === about)
  const project = known ?? (await channelProject(deps, channel))
  const draft = await deps.jobs.saveDraft({
    project,
    team: caller.team ?? entry.profile.team,
    channel,
    channelName: caller.channelName,
    user,
    ...(quoting ? { thread: quoting.thread_ts ?? quoting.ts } : {}),
    replyUrl: caller.replyUrl,
    ...(caller.kind === "command" ? {} : { replyThread: caller.thread }),
    prompt: { words: "", ...(quoted ? quotedPrompt(quoted) : {}) },
  })
  const view = askModal({
    draft,
    project,
    projects: projectNames(deps),
    ...(isOffered(caller) ? { channel } : {}),
    ...(initial === undefined ? {} : { initial }),
    ...(quoted ? { quoted: quoted.text || quoted.files.map(fileLine).join("\n") } : {}),
  })
  await deps.outbound.openModal(triggerId, view)
  return undefined
}

/**
 * Can it be chosen in the form? Direct messages, also those of a group, cannot; the draft remembers
 * them. Slack tells a group's from a channel by its name alone.
 */
function isOffered({ channel, channelName }: Command | Click | Shortcut): boolean {
  if (!channel?.startsWith("C")) return channelName === "privategroup"
  return !channelName?.startsWith("mpdm-")
}

function quotedPrompt(quoted: TalkMessage): Partial<Prompt> {
  const { files } = quoted
  return { context: quoteOne(quoted), ...(files.length > 0 ? { files } : {}) }
}

async function quote(
  deps: AgentDeps,
  { user, app, text, files }: Shortcut["message"],
): Promise<TalkMessage> {
  const names = await namesIn(user ? `<@${user}> ${text}` : text, deps.profileForName)
  const speaker = (user && names.get(user)) ?? app ?? (user ? "somebody" : "an app")
  return { speaker, text: toPlainText(text, names), files }
}

/** The form was submitted. The request is durable when this resolves; only then does the form close. */
export async function submitForm(deps: AgentDeps, form: SentForm): Promise<Reply> {
  const words = form.inputs[PROMPT_INPUT]?.[PROMPT_INPUT]?.value ?? ""
  if (isBlank(words)) return fault(PROMPT_INPUT, line("Say what should change in the docs."))
  const draft = await deps.jobs.draft(form.draft)
  if (draft?.user !== form.user)
    return fault(PROMPT_INPUT, line("This form has expired. Open a new one."))
  const told = openedAt(draft)
  const chosen = form.inputs[CHANNEL_INPUT]?.[CHANNEL_INPUT]?.selected_conversation
  const channel = chosen ?? draft.channel
  if (!channel) return fault(CHANNEL_INPUT, line("Choose where to post progress."))
  const entry = await admit(deps, { user: form.user, channel })
  if ("refusal" in entry) return { ...fault(CHANNEL_INPUT, entry.refusal), told }
  const picked = form.inputs[PROJECT_INPUT]?.[PROJECT_INPUT]?.selected_option?.value
  const request = {
    ...draft,
    project: projectNames(deps).find((name) => projectKey(name) === picked) ?? draft.project,
    channel,
    // Another channel has neither the thread nor the command's reply address.
    ...(channel === draft.channel
      ? {}
      : { thread: undefined, replyUrl: undefined, channelName: undefined }),
    prompt: { ...draft.prompt, words: words.trim() },
    idempotencyKey: `form:${form.view}`,
  }
  const submission = await submit(deps, request, entry.profile)
  const message = await submissionMessage(deps, submission)
  if (!message) return {}
  if (submission.outcome === "full") return { ...fault(PROMPT_INPUT, message), told }
  // A form has no place for buttons: the question about a duplicate goes to where it was opened.
  return { ack: message, told }
}

function openedAt({ user, channel, replyUrl, replyThread: thread }: Draft): Told {
  return { user, channel: channel || undefined, thread, replyUrl }
}

/** Keeps the form open with what was typed, and shows why. */
export function formFailed(message: Message): Reply {
  return fault(PROMPT_INPUT, message)
}

function fault(block: string, message: Message): Reply {
  return { ack: message, faults: { [block]: plainWords(message.text) } }
}

/** Errors of a form are plain text: no emoji codes, no code marks, no mentions. */
function plainWords(text: string): string {
  return line(text)
    .text.replaceAll("`", "")
    .replace(/<@([A-Z0-9]+)>/g, "$1")
}
