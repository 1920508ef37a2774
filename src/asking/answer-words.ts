import { linkToCard } from "../jobs/job.ts"
import type { Draft } from "../jobs/new-request.ts"
import { allAsks } from "../jobs/rounds.ts"
import { greeting, helpMessage } from "../messages/help.ts"
import { type NotNowAction, nothingToDo } from "../messages/nothing-to-do.ts"
import { cancelledMessage, notYours, say } from "../messages/private-answers.ts"
import { fullMessage } from "../messages/refusals.ts"
import { quotaMessage, statusMessage } from "../messages/status-and-home.ts"
import type { Message } from "../slack/message.ts"
import type { Command } from "../slack/payloads.ts"
import type { Profile } from "../slack/profiles.ts"
import { type ActionResult, cancel, cancelNewest, mute, retry, unmute } from "./act-on-job.ts"
import { admit } from "./admit.ts"
import { acceptRequest, confirmed } from "./answer-request.ts"
import type { Asking } from "./asking.ts"
import { askedDraft, endQuestion, findDraft } from "./drafts.ts"
import type { Typed, Verb } from "./read-text.ts"
import { actOnce, type Reply } from "./reply.ts"

/** Maximum of a person's jobs among which `cancel` looks for the newest request. */
const MAX_READ = 60

type Asker = { channel: string; thread?: string | undefined; user: string }

/** Answers text that is not a request. Resolves to undefined to stay silent. */
export async function answerWords(
  asking: Asking,
  asker: Asker,
  typed: Exclude<Typed, { words: string }>,
): Promise<Message | undefined> {
  if (typed.kind === "small_talk") {
    if (typed.of === "thanks") return say("thanks")
    if (typed.of === "never_mind") {
      await answered(asking, asker)
      return say("never_mind")
    }
    return typed.of === "nod" ? undefined : greeting()
  }
  const entry = await admit(asking.context, asker)
  if ("refusal" in entry) return entry.refusal
  switch (typed.kind) {
    case "cancel":
      return typed.id === undefined
        ? cancelOwn(asking, asker)
        : answerOf(
            asking,
            await cancel(asking.context, { job: typed.id, user: asker.user }),
            "cancel",
          )
    case "answer": {
      const { isYes } = typed
      return answered(
        asking,
        asker,
        isYes ? (one, id) => acceptRequest(asking, confirmed(one, id)) : undefined,
      )
    }
    case "blank":
      return say("blank")
    case "verb":
      return answerVerb(asking, asker, typed.verb, entry.profile)
  }
}

/** Answers words after `/docs-agent` once, however often Slack sends the command. */
export function answerCommandWords(
  asking: Asking,
  { channel, user, triggerId }: Command,
  typed: Exclude<Typed, { words: string }>,
): Promise<Reply> {
  return actOnce(asking.context, triggerId, async () => ({
    ack: await answerWords(asking, { channel, user }, typed),
  }))
}

/** Takes back the request that waits or the newest that does, in the thread or else of the person. */
async function cancelOwn(asking: Asking, asker: Asker): Promise<Message | undefined> {
  const { user } = asker
  const own = await ownJob(asking, asker)
  const found = own
    ? await asking.context.jobs.inThread(asker.channel, asker.thread ?? "")
    : await asking.context.jobs.ofUser(user, MAX_READ)
  const taken = await cancelNewest(
    asking.context,
    user,
    found.map(({ job }) => job),
  )
  if (taken && "words" in taken) return cancelledMessage(taken.words)
  const result = taken ?? (own && (await cancel(asking.context, { job: own.id, user })))
  return result ? answerOf(asking, result, "cancel") : say("nothing_to_cancel")
}

/** Ends the question that the bot last asked a person here. Does nothing if there is none. */
async function answered(
  { context: { store } }: Asking,
  { user, channel }: Asker,
  accept: (draft: Draft, id: string) => Promise<Message | undefined> = async () => undefined,
): Promise<Message | undefined> {
  const id = await askedDraft(store, user, channel)
  if (id === undefined) return undefined
  const draft = await findDraft(store, user, id)
  const message = draft && (await accept(draft, id))
  // Last: a request is accepted once, however often Slack or Redis makes the bot say so.
  await endQuestion(store, user, channel, id)
  return message
}

async function answerVerb(asking: Asking, asker: Asker, verb: Verb, profile: Profile) {
  const { user } = asker
  if (verb === "help") return helpMessage()
  if (verb === "quota") return quotaMessage(await asking.overview(profile))
  const job = await ownJob(asking, asker)
  switch (verb) {
    case "status":
      return statusMessage(await asking.overview(profile, job && [job.id]))
    case "retry":
      return (
        job && answerOf(asking, await retry(asking.context, { job: job.id, user }), "run_again")
      )
    case "mute":
      return job && muteFor(asking, job.id, user)
    case "unmute":
      return job && unmuteFor(asking, job.id, user)
    default:
      // `commands/docs-agent.ts` answers the others.
      return undefined
  }
}

export async function muteFor(asking: Asking, job: string, user: string): Promise<Message> {
  const { result } = await mute(asking.context, job, user)
  return say(result === "done" ? "muted" : "request_expired")
}

async function unmuteFor(asking: Asking, job: string, user: string): Promise<Message> {
  const { result } = await unmute(asking.context, job, user)
  return say(result === "done" ? "unmuted" : "request_expired")
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
