import type { Context } from "../jobs/context.ts"
import { roundTold } from "../jobs/end-round.ts"
import { type Job, threadOf } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Held } from "../jobs/job-store.ts"
import type { Prompted } from "../jobs/request-record.ts"
import type { Ask } from "../jobs/round-record.ts"
import { allAsks, currentRound, firstAsk, openAsks, recipientsOf } from "../jobs/rounds.ts"
import { unreadFilesMessage } from "../messages/private-answers.ts"
import {
  type ChannelFacts,
  cannotPost,
  cannotPostHere,
  NOT_TURNED_ON,
  type Refusal,
  refusedAccess,
} from "../messages/refused-requests.ts"
import { isInOwnDirect, tell } from "../slack/ephemeral.ts"
import type { Message } from "../slack/message-types.ts"
import { refusalOf, type SlackError } from "../slack/slack-error.ts"
import type { Store } from "../store/script.ts"
import { saveDraft } from "./kept-requests.ts"

/**
 * Tells one person privately where they asked, or in their direct messages if that fails.
 * @param to who made a request, or somebody who made none
 * @returns the refusal if Slack accepts the message in neither place but may later
 */
export async function tellPrivately(
  context: Context,
  job: Job,
  to: Pick<Ask, "user"> & Partial<Ask>,
  message: Message,
) {
  const { channel } = job
  const { user, id } = to
  // Slack shows nobody an ephemeral message under a message without replies.
  const isUnseen = !channel.startsWith("D") && !hasReplies(job)
  const replyUrl = id && (await replyUrlOf(context.store, id))
  const thread = isUnseen || replyUrl ? undefined : threadOf(job)
  const refused = await refusalOf(tell(context.slack, { user, channel, thread, replyUrl }, message))
  if (!refused || refused.verdict === "unknown") return undefined
  const last = await refusalOf(context.slack.outbound.direct(user, message))
  return last?.verdict === "later" ? last : undefined
}

/** Returns whether the job's thread has a reply, as far as the bot knows: its card or what it tells. */
function hasReplies(job: Job): boolean {
  const { thread, card } = job
  const asks = allAsks(job)
  if (thread !== undefined) return card !== undefined || asks.every(({ ts }) => ts !== thread)
  const isTold = job.rounds.some(({ told }) => told?.ts !== undefined)
  return isTold || asks.some(({ ts }) => ts !== undefined)
}

/** Returns the response_url of the command that asked, while Slack accepts it. */
async function replyUrlOf({ redis }: Store, ask: string): Promise<string | undefined> {
  return (await redis.get(jobKeys.reply(ask))) ?? undefined
}

export interface RefusedAsk {
  ask: Ask
  refusal: Refusal | "unclear" | "unreadable" | "broken"
}

/** Tells a requester why their request is not sent; keeps it. @returns as `tellPrivately` */
export async function tellRefused(
  context: Context,
  job: Job,
  { ask, refusal }: RefusedAsk,
): Promise<SlackError | undefined> {
  const { admins } = context.settings.access
  const kept = await keepAsk(context, job, ask)
  const message = refusedAccess(refusal, { user: ask.user, admins }, kept)
  return tellPrivately(context, job, ask, message)
}

/** Tells each requester which of their own files the agent does not see. */
export async function tellUnread(context: Context, { job, prompts }: Prompted): Promise<void> {
  for (const ask of openAsks(job)) {
    const unread = prompts[ask.id]?.unread ?? []
    if (unread.length > 0)
      await tellPrivately(
        context,
        job,
        ask,
        unreadFilesMessage(unread, context.settings.access.admins),
      )
  }
}

/** Stores a request that was not started, so that its requester can send it again. */
async function keepAsk({ store, jobs }: Context, job: Job, ask: Ask) {
  const prompt = (await jobs.promptsOf([ask]))[ask.id]
  if (!prompt) return undefined
  const { project, channel, thread } = job
  const draft = await saveDraft(store, { project, channel, thread, user: ask.user, prompt }, ask.id)
  return { words: prompt.words, draft }
}

/**
 * Tells the requester that the bot can't post the card, if possible through the command's
 * `response_url`, which works even where the bot may not post.
 */
export async function tellNoCard(context: Context, held: Held): Promise<number> {
  const { job } = held
  const first = firstAsk(job)
  const kept = first && (await keepAsk(context, job, first))
  const message = cannotPost(
    currentRound(job).detail ?? "",
    await channelFacts(context, job.channel),
    kept,
  )
  // Slack does not keep ephemeral messages in the bot's own direct message.
  const isOwn = await isInOwnDirect(context.slack, job)
  if (!held.inTime()) return 0
  const url = first && !isOwn ? await replyUrlOf(context.store, first.id) : undefined
  const refused = url ? await refusalOf(context.slack.outbound.respond(url, message)) : true
  const againMs = refused ? await tellDirectly(context, held, "refusal", message) : undefined
  return againMs ?? markTold(context, held)
}

/**
 * Tells the requesters in direct messages, and records whom it has told. The bot cannot look for
 * such a message later, so after a crash it may post one twice: a lost one would be worse.
 * @param part as `Posting` names it @returns when to go on in ms, if Slack takes some of it later
 */
export async function tellDirectly(
  context: Context,
  { job, inTime }: Held,
  part: string,
  message: Message,
  to: readonly string[] = recipientsOf(job),
): Promise<number | undefined> {
  const users = job.direct?.part === part ? [...job.direct.users] : []
  for (const user of to.filter((one) => !users.includes(one))) {
    if (!inTime()) return 0
    const refused = await refusalOf(context.slack.outbound.direct(user, message))
    // Tries again later, unless Slack refused for good; then the bot skips this person.
    if (refused && refused.verdict !== "give_up")
      return refused.retryAfterMs ?? context.settings.timing.tries.unreachableMs
    users.push(user)
    await context.jobs.change(job.id, () => ({ set: { direct: { part, users } } }))
  }
  return undefined
}

/** Records that the bot told the requesters privately, has nobody to tell, or gave up. */
export async function markTold({ jobs }: Context, { job: told }: { job: Job }): Promise<number> {
  const { id: round } = currentRound(told)
  await jobs.change(told.id, ({ job }) => roundTold(job, round, { users: [], hash: "" }))
  return 0
}

/** Tells a channel what somebody turned on there. @returns what to tell them if Slack refuses it */
export async function announce(context: Context, channel: string, message: Message) {
  const refused = await refusalOf(context.slack.outbound.post({ channel }, message))
  return refused && cannotPostHere(refused, await channelFacts(context, channel), NOT_TURNED_ON)
}

/** Returns what a message about a channel that the bot can't post in names. @throws SlackError */
export async function channelFacts(
  { slack, settings }: Context,
  channel: string,
): Promise<ChannelFacts> {
  const { user: botUser } = await slack.state.whoWeAre()
  return { channel, botUser, admins: settings.access.admins }
}
