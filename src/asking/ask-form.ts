import type { Context } from "../jobs/context.ts"
import { askId } from "../jobs/job.ts"
import type { Draft } from "../jobs/request-record.ts"
import { isBlank, mentionedUsers, toPlainText } from "../lib/plain-text.ts"
import { DAY_MS, raceAbort } from "../lib/time.ts"
import * as modal from "../messages/ask-form-view.ts"
import { say } from "../messages/private-answers.ts"
import { unknownProjectMessage } from "../messages/refused-requests.ts"
import { tell } from "../slack/ephemeral.ts"
import type { Click, Command, SentForm, Shortcut } from "../slack/payloads.ts"
import { namesOf } from "../slack/profiles.ts"
import type { Quote } from "../slack/read-message.ts"
import { orSlackError, refusalOf } from "../slack/slack-error.ts"
import { key } from "../store/redis-keys.ts"
import { type Asking, acceptRequest } from "./accept-request.ts"
import { admit, mayAskIn } from "./access-rules.ts"
import { findDraft, saveDraft } from "./kept-requests.ts"
import { asSaid, MAX_THREAD } from "./quoted-messages-and-files.ts"
import { hashOfRequest } from "./same-request.ts"
import type { Reply } from "./work-after-ack.ts"

type Opener = Command | Click | Shortcut
type Quoted = NonNullable<Shortcut["message"]>

/** Maximum wait in ms for facts in the form: Slack's trigger expires after three seconds. */
const KNOWN_WITHIN_MS = 1000
const LATE = ["expired_trigger_id", "trigger_expired"]

/**
 * Opens the request form, or says privately why not. The caller acknowledges first.
 * @param given a request that was not accepted, or parts of a new one
 * @param about `quoting`: a message that the request is about, whose thread becomes the job's
 */
export async function offerForm(
  context: Context,
  caller: Opener,
  given: Partial<Draft> = {},
  { quoting, project: typed }: { quoting?: Quoted | undefined; project?: string | undefined } = {},
): Promise<void> {
  const { triggerId, channel = "", user, replyUrl } = caller
  const { slack, jobs } = context
  const { projects } = context.settings
  if (!triggerId) return
  const soon = AbortSignal.timeout(KNOWN_WITHIN_MS)
  const [entry, quoted = [], isOut] = await Promise.all([
    // The worker checks again before it posts the card.
    raceAbort(admit(context, caller), soon, undefined),
    quoting && quote(context, quoting),
    quoting && raceAbort(outsidersIn(context, quoting), soon, undefined),
  ])
  if (entry && "refusal" in entry) return void (await tell(slack, caller, entry.refusal))
  const thread = given.thread ?? quoting?.thread_ts ?? quoting?.ts
  const inThread = thread === undefined ? [] : await jobs.inThread(channel, thread)
  const known = projects.all.find(({ key }) => key === given.project)
  const project = known ?? projects.choose(channel, typed, inThread[0]?.job.project)
  if (!project) {
    const checked = entry ?? (await admit(context, caller))
    const refusal =
      "refusal" in checked ? checked.refusal : unknownProjectMessage(typed, projects.names)
    return void (await tell(slack, caller, refusal))
  }
  const draft: Draft = {
    channel,
    user,
    thread,
    // A stored request may be about another channel, where this `response_url` does not apply.
    replyUrl: given.channel === undefined ? replyUrl : given.replyUrl,
    prompt: promptAbout(channel, quoting, quoted),
    ...given,
    project: project.key,
  }
  const id = await saveDraft(context.store, draft)
  const facts = {
    draft: id,
    project: draft.project,
    projects: projects.all,
    channel: isOffered(caller) ? channel : undefined,
    initial: draft.prompt.words,
    isAboutMessage: quoting !== undefined,
    // Draws only what surely travels.
    quoted: quoted.flatMap((one) => (isOut?.(one) === false ? one.text : [])).join("\n"),
    leavesOut: isOut !== undefined && [...quoted, ...(quoting?.files ?? [])].some(isOut),
    withThread: draft.prompt.threadRange !== undefined,
  }
  const refused = await refusalOf(slack.outbound.openModal(triggerId, modal.askModal(facts)))
  if (refused && !LATE.includes(refused.code)) throw refused
  if (refused) await tell(slack, caller, modal.formLate(id))
}

/** Makes a prompt about a message; if that is a reply, the agent also gets the thread up to it. */
function promptAbout(channel: string, quoting?: Quoted, quoted?: Quote[]): Draft["prompt"] {
  const thread = quoting?.thread_ts === quoting?.ts ? undefined : quoting?.thread_ts
  return {
    words: "",
    quotes: quoting && quoted,
    threadRange: quoting && thread ? { channel, thread, until: quoting.ts } : undefined,
    files: quoting && quoting.files.length > 0 ? quoting.files : undefined,
  }
}

/** Returns whether the form's menu, which has no direct messages, offers this conversation. */
function isOffered({ channel }: Opener): boolean {
  return channel !== undefined && !channel.startsWith("D")
}

/** Returns the test for parts of a message that the agent may not see; undefined if unknown. */
function outsidersIn(context: Context, { user: by, forwards, files }: Quoted) {
  return context.slack.outsidersAmong([{ by }, ...forwards, ...files]).catch((error: unknown) => {
    orSlackError(error)
    return undefined
  })
}

/** Returns a message, and apart from it what it passes on: each has an author of its own. */
async function quote(context: Context, message: Quoted): Promise<Quote[]> {
  const { user, app, forwards } = message
  const said = [message, ...forwards].map(({ text }) => text).join(" ")
  const names = await raceAbort(
    namesOf([...(user ? [user] : []), ...mentionedUsers(said)], context.slack.profileOf),
    AbortSignal.timeout(KNOWN_WITHIN_MS),
    new Map<string, string>(),
  )
  const speaker = (user && names.get(user)) ?? app ?? (user ? "somebody" : "an app")
  const own = asSaid({ ...message, speaker, text: toPlainText(message.text, names) }, MAX_THREAD)
  const passedOn = forwards.map((one) => ({ ...one, text: toPlainText(one.text, names) }))
  return [{ by: message.by, text: own }, ...passedOn]
}

/** Time in ms for which the bot knows a person's direct message. */
const KNOWN_DIRECT_MS = 30 * DAY_MS

/**
 * Returns the bot's direct message with a person, for a request without a channel. A post to the
 * person opens it, which says where the request continues, and no later request needs one.
 * @param here channel in which the person is, perhaps that direct message or one between people
 */
export async function directOf(
  { store: { redis }, slack }: Context,
  user: string,
  here = "",
): Promise<string> {
  const at = key("own", user, "direct")
  for (const known of [await redis.get(at), here.startsWith("D") && here])
    if (known && !(await slack.places.isShutOut(known))) return known
  const { channel } = await slack.outbound.direct(user, say("in_direct"))
  await redis.set(at, channel, "PX", KNOWN_DIRECT_MS)
  return channel
}

/** Accepts the form. Resolves once the request is durable; only then does the form close. */
export async function submitForm(asking: Asking, form: SentForm): Promise<Reply> {
  const { user, inputs } = form
  const { settings, slack, store } = asking.context
  const words = inputs[modal.PROMPT_INPUT]?.[modal.PROMPT_INPUT]?.value ?? ""
  if (isBlank(words)) return { fault: modal.PROMPT_INPUT, ack: say("form_blank") }
  const draft = await findDraft(store, user, form.draft)
  if (!draft) return { fault: modal.PROMPT_INPUT, ack: say("form_expired") }
  const { thread, ts, replyUrl, ...rest } = draft
  const picked = inputs[modal.CHANNEL_INPUT]?.[modal.CHANNEL_INPUT]?.selected_conversation
  const channel = picked ?? (await directOf(asking.context, user, draft.channel))
  if (!mayAskIn(settings.access, channel))
    return { fault: modal.CHANNEL_INPUT, ack: say("form_channel") }
  if (await slack.places.isShutOut(channel))
    return { fault: modal.CHANNEL_INPUT, ack: say("form_shut_out") }
  const chosen = inputs[modal.PROJECT_INPUT]?.[modal.PROJECT_INPUT]?.selected_option?.value
  // In another channel neither the thread nor the command's response_url applies.
  const stays = channel === draft.channel ? { thread, ts, replyUrl } : {}
  const request = {
    ...rest,
    ...stays,
    project: settings.projects.all.find(({ key }) => key === chosen)?.key ?? draft.project,
    channel,
    prompt: { ...draft.prompt, words: words.trim() },
    ...(draft.replaces ? { anyway: true } : {}),
    // Includes the text: a form that got no answer in time stays open and can be sent with another.
    delivery: `form:${form.view}:${hashOfRequest({ ...draft, user, prompt: { words } })}`,
  }
  // A form has no room for buttons, so questions and refusals go where the person opened it.
  const told = { user, channel: draft.channel || undefined, thread, replyUrl }
  const message = await acceptRequest(asking, request, draft.channel)
  return message ? { ack: message, told, question: askId(request.delivery) } : {}
}
