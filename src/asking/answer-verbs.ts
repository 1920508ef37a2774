import { mayStillRun } from "../jobs/begin-round.ts"
import { linkToCard } from "../jobs/job.ts"
import type { Draft } from "../jobs/request-record.ts"
import { allAsks } from "../jobs/rounds.ts"
import { resultReply } from "../messages/closing-reply.ts"
import { greeting, helpMessage } from "../messages/help.ts"
import { cancelledMessage, say, unreadFilesMessage } from "../messages/private-answers.ts"
import { quotaMessage } from "../messages/quota.ts"
import { type NotNowAction, nothingToDo, notYours } from "../messages/refused-actions.ts"
import { fullMessage } from "../messages/refused-requests.ts"
import { statusMessage } from "../messages/status-and-home.ts"
import { reasonUnread } from "../slack/accepted-text-files.ts"
import type { Message } from "../slack/message-types.ts"
import type { Command } from "../slack/payloads.ts"
import type { Profile } from "../slack/profiles.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { type Asking, acceptRequest, confirmed } from "./accept-request.ts"
import { admit } from "./access-rules.ts"
import { type ActionResult, latestFor, mute, retry, type Wish } from "./act-on-job.ts"
import { actOnce } from "./act-once.ts"
import { cancel, cancelNewest } from "./cancel-request.ts"
import { askedDraft, endQuestion, findDraft, questionAbout } from "./kept-requests.ts"
import type { Typed, Verb } from "./parse-typed-text.ts"
import type { Reply } from "./work-after-ack.ts"

interface Asker extends Pick<Draft, "channel" | "thread" | "user"> {
  prompt?: Pick<Draft["prompt"], "files">
}

/** Answers text that is not a request, or stays silent. */
export async function answerWords(
  asking: Asking,
  asker: Asker,
  typed: Exclude<Typed, { words: string }>,
): Promise<Reply> {
  const { context } = asking
  if (typed.kind === "small_talk") {
    if (typed.of === "thanks") return { ack: say("thanks") }
    if (typed.of === "never_mind")
      return { ...(await answered(asking, asker)), ack: say("never_mind") }
    return typed.of === "nod" ? {} : { ack: greeting() }
  }
  const entry = await admit(context, asker)
  if ("refusal" in entry) return { ack: entry.refusal }
  switch (typed.kind) {
    case "cancel": {
      if (typed.id === undefined) return { ack: await cancelOwn(asking, asker) }
      const result = await cancel(context, { job: typed.id, user: asker.user })
      return { ack: answerOf(asking, result, "cancel") }
    }
    case "answer":
      return typed.isYes
        ? answered(asking, asker, (draft, id) => acceptRequest(asking, confirmed(draft, id)))
        : answered(asking, asker)
    case "blank":
      return { ack: askForWords(context, asker) }
    case "verb":
      return { ack: await answerVerb(asking, asker, typed.verb, entry.profile) }
  }
}

/** Asks for words where there are none, and names the files that say nothing in their place. */
function askForWords({ settings }: Asking["context"], { prompt }: Asker): Message {
  const unread = (prompt?.files ?? []).flatMap((file) => {
    const why = reasonUnread(file)
    return why ? { ...file, why } : []
  })
  const asked = say("blank")
  if (unread.length === 0) return asked
  const named = unreadFilesMessage(unread, settings.access.admins, "Describe it in your request.")
  return {
    text: `${asked.text}\n${named.text}`,
    blocks: [...asked.blocks, ...named.blocks],
  }
}

/** Answers words after `/docs-agent` once, however often Slack sends the command. */
export function answerCommandWords(
  asking: Asking,
  { channel, user, triggerId }: Command,
  typed: Exclude<Typed, { words: string }>,
): Promise<Reply> {
  return actOnce(asking.context, triggerId, () => answerWords(asking, { channel, user }, typed))
}

/** Takes back the request that waits or the newest that does, in the thread or else of the person. */
async function cancelOwn(asking: Asking, asker: Asker): Promise<Message | undefined> {
  const { user, channel, thread = "" } = asker
  const { context } = asking
  const own = await ownJob(asking, asker)
  const found = own ? await context.jobs.inThread(channel, thread) : await context.jobs.ofUser(user)
  const jobs = found.map(({ job }) => job)
  const taken = await cancelNewest(context, user, jobs)
  if (taken && "words" in taken) return cancelledMessage(taken.words)
  const result = taken ?? (own && (await cancel(context, { job: own.id, user })))
  return result ? answerOf(asking, result, "cancel") : say("nothing_to_cancel")
}

/** Ends the question that the bot last asked a person here, or says that there is none any more. */
async function answered(
  { context: { store, slack } }: Asking,
  { user, channel }: Asker,
  accept?: (draft: Draft, id: string) => Promise<Message | undefined>,
): Promise<Reply> {
  const id = await askedDraft(store, user, channel)
  if (id === undefined) return { ack: say("not_asked") }
  const draft = await findDraft(store, user, id)
  const refusal = draft && (await accept?.(draft, id))
  // Not before the request is accepted, which happens once, however often Slack sends the answer.
  await endQuestion(store, user, channel, id)
  const outcome = say(accept && draft && !refusal ? "sent" : "not_sent")
  const closeQuestion = async () => {
    const question = await questionAbout(store, user, id)
    if (question) await refusalOf(slack.outbound.update(question, outcome))
  }
  return { ack: refusal, work: closeQuestion }
}

async function answerVerb(asking: Asking, asker: Asker, verb: Verb, profile: Profile) {
  const { user } = asker
  if (verb === "help") return helpMessage()
  if (verb === "quota") return quotaMessage(await asking.overview(profile))
  const job = await ownJob(asking, asker)
  if (verb === "status") return statusMessage(await asking.overview(profile, job && [job.id]))
  if (!job) return say("none_here")
  switch (verb) {
    case "retry":
      return retryTyped(asking, { job: job.id, user })
    case "mute":
    case "unmute":
      return muteFor(asking, job.id, user, verb)
    default:
      // `listeners/docs-agent.ts` answers the others.
      return undefined
  }
}

/**
 * Runs the job again for `retry`. If that might make a second pull request, shows how it ended
 * instead, with the buttons that the card has for it.
 */
async function retryTyped(asking: Asking, wish: Wish): Promise<Message | undefined> {
  const { context } = asking
  const { gitHubHost } = context.settings
  const found = await latestFor(context, wish)
  if (!("result" in found) && mayStillRun(found.job))
    return resultReply({ job: found.job, users: [], gitHubHost })
  return answerOf(asking, await retry(context, wish), "run_again")
}

export async function muteFor(
  { context }: Asking,
  job: string,
  user: string,
  verb: "mute" | "unmute" = "mute",
): Promise<Message> {
  const isKnown = await mute(context, job, user, verb === "mute")
  return say(isKnown ? `${verb}d` : "request_expired")
}

/** Returns the thread's latest job with a request of this person, otherwise the thread's latest. */
async function ownJob({ context: { jobs } }: Asking, { channel, thread, user }: Asker) {
  if (thread === undefined) return undefined
  const found = await jobs.inThread(channel, thread)
  const own = found.find(({ job }) => allAsks(job).some((ask) => ask.user === user))
  return (own ?? found[0])?.job
}

/** Answers a click or a verb; returns undefined if the card shows the result. */
export function answerOf(
  { context }: Asking,
  result: ActionResult,
  action: NotNowAction,
): Message | undefined {
  switch (result.result) {
    case "done":
      return undefined
    case "not_yours":
      return notYours(result.owners)
    case "full":
      return fullMessage(result.why, context.settings.access.admins)
    case "expired":
      return say(action === "cancel" ? "unknown_id" : "request_expired")
    case "not_now": {
      const { job } = result
      const at = linkToCard(context.slack.state, job)
      return nothingToDo(action, { gitHubHost: context.settings.gitHubHost, job, at })
    }
  }
}
