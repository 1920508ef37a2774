import { type ActionResult, cancel, mute, retry, unmute } from "../asking/act-on-job.ts"
import { admit } from "../asking/admit.ts"
import { linkToCard, overviewOf } from "../asking/read-overview.ts"
import type { Typed, Verb } from "../asking/read-text.ts"
import { isEnded } from "../jobs/job.ts"
import { greeting, helpMessage } from "../messages/help.ts"
import { type NotNowAction, notNow, notYours, say } from "../messages/private-answers.ts"
import { fullMessage } from "../messages/refusals.ts"
import { quotaMessage, statusMessage } from "../messages/status-and-home.ts"
import type { Message } from "../slack/message.ts"
import type { Profile } from "../slack/profiles.ts"
import { acceptRequest } from "./answer-request.ts"
import type { AgentDeps } from "./deps.ts"

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
      await deps.drafts.asked(asker.user, asker.channel)
      return say("never_mind")
    }
    return typed.of === "nod" ? undefined : greeting()
  }
  const entry = await admit(deps, asker)
  if ("refusal" in entry) return entry.refusal
  switch (typed.kind) {
    case "cancel": {
      const job = typed.id ?? (await ownJob(deps, asker))?.id
      if (job === undefined) return say("which_to_cancel")
      return answerOf(deps, await cancel(deps, { job, user: asker.user }), "cancel")
    }
    case "answer": {
      // Stays silent if the bot asked nothing here.
      const id = await deps.drafts.asked(asker.user, asker.channel)
      const draft = id !== undefined && typed.isYes && (await deps.drafts.find(asker.user, id))
      return draft
        ? acceptRequest(deps, { ...draft, delivery: `draft:${id}`, anyway: true })
        : undefined
    }
    case "blank":
      return say("blank")
    case "verb":
      return answerVerb(deps, asker, typed.verb, entry.profile)
  }
}

async function answerVerb(deps: AgentDeps, asker: Asker, verb: Verb, profile: Profile) {
  const { user } = asker
  if (verb === "help") return helpMessage()
  if (verb === "quota") return quotaMessage({ ...deps, overview: await overviewOf(deps, profile) })
  const job = await ownJob(deps, asker)
  switch (verb) {
    case "status":
      return statusMessage({ ...deps, overview: await overviewOf(deps, profile, job && [job.id]) })
    case "retry":
      return job && answerOf(deps, await retry(deps, { job: job.id, user }), "run_again")
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
  const { result } = await mute(deps, job, user)
  return say(result === "done" ? "muted" : "request_expired")
}

async function unmuteFor(deps: AgentDeps, job: string, user: string): Promise<Message> {
  const { result } = await unmute(deps, job, user)
  return say(result === "done" ? "unmuted" : "request_expired")
}

/** Returns the thread's latest job with a request of this person, otherwise the thread's latest. */
async function ownJob({ jobs }: AgentDeps, { channel, thread, user }: Asker) {
  if (thread === undefined) return undefined
  const found = await jobs.inThread(channel, thread)
  const own = found.find(({ job }) => job.asks.some((ask) => ask.user === user))
  return (own ?? found[0])?.job
}

/** Answers a click or a verb; returns undefined if the card shows the result. */
export function answerOf(
  deps: Pick<AgentDeps, "permalink" | "admins">,
  result: ActionResult,
  action: NotNowAction,
): Message | undefined {
  switch (result.result) {
    case "done":
      return undefined
    case "not_yours":
      return notYours(result.owners)
    case "full":
      return fullMessage(result.why, deps.admins)
    case "expired":
      return say(action === "cancel" ? "unknown_id" : "request_expired")
    case "not_now":
      return notNow(action, isEnded(result.job) ? "ended" : "open", linkToCard(deps, result.job))
  }
}
