import { submit } from "../jobs/submit.ts"
import type { Message } from "../slack/message.ts"
import { quoteLines } from "../text/lines.ts"
import { toPlainText } from "../text/plain-text.ts"
import { line } from "../views/blocks.ts"
import { askModal, CHANNEL_INPUT, PROJECT_INPUT, PROMPT_INPUT } from "../views/modal.ts"
import { projectKey } from "../views/project-key.ts"
import { refusedMessage } from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"
import { submissionMessage } from "./docs-agent.ts"
import { namesIn } from "./names.ts"
import type { ActionPayload, ShortcutPayload, ViewPayload } from "./payloads.ts"
import { defaultProject, projectNames } from "./project.ts"
import { isBlank } from "./words.ts"

/** What to answer a submitted form with: nothing closes it, errors stay at their inputs. */
export type FormAnswer = undefined | { response_action: "errors"; errors: Record<string, string> }

/**
 * "Ask the docs agent" on a message: the form opens with that message quoted.
 * @returns the refusal of a person who may not ask
 */
export async function shortcut(
  deps: AgentDeps,
  payload: ShortcutPayload,
): Promise<Message | undefined> {
  const { user, channel, message } = payload
  const entry = await deps.gate({ user: user.id, channel: channel.id })
  if (!entry.allowed) return refusedMessage(entry.refusal, user.id, [...deps.rules.admins])
  const quoted = toPlainText(message.text, await namesIn(message.text, deps.profileOf))
  const project = await defaultProject(deps, channel.id)
  const draft = await deps.jobs.saveDraft({
    project,
    team: payload.team?.id ?? user.team_id ?? entry.profile.team,
    channel: channel.id,
    user: user.id,
    thread: message.thread_ts ?? message.ts,
    prompt: { words: "", context: await quotedContext(deps, message.user, quoted) },
  })
  await deps.outbound.openModal(
    payload.trigger_id,
    askModal({ draft, quoted, channel: channel.id, project, projects: projectNames(deps) }),
  )
  return undefined
}

async function quotedContext(deps: AgentDeps, speaker: string | undefined, text: string) {
  const names = speaker ? await namesIn(`<@${speaker}>`, deps.profileOf) : new Map<string, string>()
  const name = (speaker && names.get(speaker)) ?? "somebody"
  return `A Slack message, quoted for context:\n${quoteLines(`${name}: ${text}`)}`
}

/** The form from a button: on the Home tab, or beside a page of the visitors report. */
export async function openForm(
  deps: AgentDeps,
  payload: ActionPayload,
  initial?: string,
): Promise<void> {
  const { user } = payload
  const entry = await deps.gate({ user: user.id, channel: payload.channel?.id })
  if (!entry.allowed || !payload.trigger_id) return
  const project = await defaultProject(deps, payload.channel?.id ?? "")
  const draft = await deps.jobs.saveDraft({
    project,
    team: payload.team?.id ?? entry.profile.team,
    channel: payload.channel?.id ?? "",
    user: user.id,
    prompt: { words: "" },
  })
  const place =
    payload.channel && !payload.channel.id.startsWith("D") ? { channel: payload.channel.id } : {}
  const view = askModal({
    draft,
    project,
    projects: projectNames(deps),
    ...place,
    ...(initial ? { initial } : {}),
  })
  await deps.outbound.openModal(payload.trigger_id, view)
}

/** The form was sent: durable when this resolves, and only then does it close. */
export async function submitForm(
  deps: AgentDeps,
  { user, view }: ViewPayload,
): Promise<FormAnswer> {
  const words = view.state.values[PROMPT_INPUT]?.[PROMPT_INPUT]?.value ?? ""
  if (isBlank(words)) return fault(PROMPT_INPUT, "Say what should change in the docs.")
  const draft = await deps.jobs.draft(view.private_metadata)
  if (draft?.user !== user.id)
    return fault(PROMPT_INPUT, "This form is too old; please open a new one.")
  const chosen = view.state.values[CHANNEL_INPUT]?.[CHANNEL_INPUT]?.selected_conversation
  const channel = chosen ?? draft.channel
  if (!channel) return fault(CHANNEL_INPUT, "Choose where the card should go.")
  const elsewhere = channel !== draft.channel
  const picked = view.state.values[PROJECT_INPUT]?.[PROJECT_INPUT]?.selected_option?.value
  const request = {
    ...draft,
    project: projectNames(deps).find((name) => projectKey(name) === picked) ?? draft.project,
    channel,
    // Another channel has neither the thread nor the command's reply address.
    ...(elsewhere ? { thread: undefined, replyUrl: undefined } : {}),
    prompt: { ...draft.prompt, words: words.trim() },
    idempotencyKey: `form:${view.id}`,
  }
  const submission = await submit(deps, request)
  if (submission.outcome === "queued") return undefined
  const message = await submissionMessage(deps, request, submission)
  // A form has no place for buttons: the question about a duplicate goes to the person directly.
  if (submission.outcome === "duplicate") {
    if (draft.replyUrl) await deps.outbound.respond(draft.replyUrl, message)
    else await deps.outbound.direct(user.id, message)
    return undefined
  }
  return fault(
    submission.outcome === "refused" ? CHANNEL_INPUT : PROMPT_INPUT,
    plainWords(message.text),
  )
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
