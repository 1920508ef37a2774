import {
  type ActionResult,
  cancel,
  cancelNewest,
  mute,
  retry,
  unmute,
} from "../asking/act-on-job.ts"
import { admit } from "../asking/admit.ts"
import { askedDraft, endQuestion, findDraft } from "../asking/drafts.ts"
import type { Typed, Verb } from "../asking/read-text.ts"
import type { Draft } from "../jobs/new-request.ts"
import { allAsks } from "../jobs/rounds.ts"
import { greeting, helpMessage } from "../messages/help.ts"
import { type NotNowAction, nothingToDo } from "../messages/nothing-to-do.ts"
import { cancelledMessage, notYours, say } from "../messages/private-answers.ts"
import { fullMessage } from "../messages/refusals.ts"
import { quotaMessage, statusMessage } from "../messages/status-and-home.ts"
import { linkToCard, overviewOf } from "../pulls/read-overview.ts"
import type { Message } from "../slack/message.ts"
import type { Profile } from "../slack/profiles.ts"
import { acceptRequest, confirmed } from "./answer-request.ts"
import type { AgentDeps } from "./deps.ts"

/** Maximum of a person's jobs among which `cancel` looks for the newest request. */
const MAX_READ = 60

type Asker = { channel: string; thread?: string | undefined; user: string }

/** Answers text that is not a request. Resolves to undefined to stay silent. */
export async function answerWords(
  deps: AgentDeps,
  asker: Asker,
  typed: Exclude<Typed, { words: string }>,
): Promise<Message | undefined> {
  if (typed.kind === "small_talk") {
    if (typed.of === "thanks") return say("thanks")
    if (typed.of === "never_mind") {
      await answered(deps, asker)
      return say("never_mind")
    }
    return typed.of === "nod" ? undefined : greeting()
  }
  const entry = await admit(deps.context, asker)
  if ("refusal" in entry) return entry.refusal
  switch (typed.kind) {
    case "cancel":
      return typed.id === undefined
        ? cancelOwn(deps, asker)
        : answerOf(deps, await cancel(deps.context, { job: typed.id, user: asker.user }), "cancel")
    case "answer": {
      const { isYes } = typed
      return answered(
        deps,
        asker,
        isYes ? (one, id) => acceptRequest(deps, confirmed(one, id)) : undefined,
      )
    }
    case "blank":
      return say("blank")
    case "verb":
      return answerVerb(deps, asker, typed.verb, entry.profile)
  }
}

/** Takes back the request that waits or the newest that does, in the thread or else of the person. */
async function cancelOwn(deps: AgentDeps, asker: Asker): Promise<Message | undefined> {
  const { user } = asker
  const own = await ownJob(deps, asker)
  const found = own
    ? await deps.context.jobs.inThread(asker.channel, asker.thread ?? "")
    : await deps.context.jobs.ofUser(user, MAX_READ)
  const taken = await cancelNewest(
    deps.context,
    user,
    found.map(({ job }) => job),
  )
  if (taken && "words" in taken) return cancelledMessage(taken.words)
  const result = taken ?? (own && (await cancel(deps.context, { job: own.id, user })))
  return result ? answerOf(deps, result, "cancel") : say("nothing_to_cancel")
}

/** Ends the question that the bot last asked a person here. Does nothing if there is none. */
async function answered(
  { context: { store } }: AgentDeps,
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

async function answerVerb(deps: AgentDeps, asker: Asker, verb: Verb, profile: Profile) {
  const { user } = asker
  if (verb === "help") return helpMessage()
  if (verb === "quota") return quotaMessage(await overviewOf(deps.context, profile))
  const job = await ownJob(deps, asker)
  switch (verb) {
    case "status":
      return statusMessage(await overviewOf(deps.context, profile, job && [job.id]))
    case "retry":
      return job && answerOf(deps, await retry(deps.context, { job: job.id, user }), "run_again")
    case "mute":
      return job && muteFor(deps, job.id, user)
    case "unmute":
      return job && unmuteFor(deps, job.id, user)
    default:
      // `commands/docs-agent.ts` answers the others.
      return undefined
  }
}

export async function muteFor(deps: AgentDeps, job: string, user: string): Promise<Message> {
  const { result } = await mute(deps.context, job, user)
  return say(result === "done" ? "muted" : "request_expired")
}

async function unmuteFor(deps: AgentDeps, job: string, user: string): Promise<Message> {
  const { result } = await unmute(deps.context, job, user)
  return say(result === "done" ? "unmuted" : "request_expired")
}

/** Returns the thread's latest job with a request of this person, otherwise the thread's latest. */
async function ownJob({ context: { jobs } }: AgentDeps, { channel, thread, user }: Asker) {
  if (thread === undefined) return undefined
  const found = await jobs.inThread(channel, thread)
  const own = found.find(({ job }) => allAsks(job).some((ask) => ask.user === user))
  return (own ?? found[0])?.job
}

/** Answers a click or a verb; returns undefined if the card shows the result. */
export function answerOf(
  { context }: AgentDeps,
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
