import { markTold, tellDirectly, tellUnread } from "../asking/tell-requesters.ts"
import type { Change } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { closingReplyEdited, roundTold } from "../jobs/end-round.ts"
import { type Job, type QueuePlace, threadOf } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { cardPosted, notPosted } from "../jobs/prepare-round.ts"
import { allAsks, currentRound, openAsks, recipientsOf } from "../jobs/rounds.ts"
import { resultReply, shownPhase } from "../messages/closing-reply.ts"
import type { Message } from "../slack/message-types.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import { hashOfMessage } from "../slack/write-to-slack.ts"
import { type Drawn, nextStep, resultPart } from "./choose-action.ts"

/** Step of the delivery: what it writes to Slack, and what counts as written. */
export interface Step {
  /** Slack limit of which the delivery takes a turn before `take`, which then writes `unpaced`. */
  limit?: "post" | "edit"
  take: (context: Context, held: Held, drawn: Drawn) => Promise<Again>
  /** People whom the message mentions, if not those of the current round. */
  people?: (job: Job) => string[]
  /** Counts the message as posted, if all of them have muted the job. */
  skip?: (context: Context, held: Held) => Promise<Again>
  /** Handles a message that Slack refuses for good, so that the bot still writes the later ones. */
  onRefusal: (context: Context, held: Held, drawn: Drawn, code: string) => Promise<Again>
}

/** Posts the card. */
export const postCard: Step = {
  limit: "post",
  take: (context, held, { card, place }) =>
    post(context, held, {
      part: "card",
      message: card,
      posted: (job, at) => withPlace(job, cardPosted(job, at), place),
    }),
  // Ends the job without starting it. The step `private` tells the requester, so that a crash in
  // between cannot lose the message.
  async onRefusal({ jobs }, { job: { id } }, _drawn, detail) {
    await jobs.change(id, ({ job, now }) => notPosted(job, { detail, now }))
    return 0
  },
}

/** Posts the closing reply. */
export const postReply: Step = {
  limit: "post",
  take: (context, held, { result }) => postResult(context, held, result),
  skip: markTold,
  // If Slack refuses the blocks, the bot posts the words without them. Otherwise the thread is
  // gone or closed to the bot, so it tells the requesters in direct messages.
  async onRefusal(context, held, { result }, code) {
    const { job } = held
    if (!result) return markTold(context, held)
    const { gitHubHost } = context.settings
    const direct = resultReply({ job, users: recipientsOf(job), gitHubHost, isDirect: true })
    const isOfBlocks = /block|too_long/.test(code)
    if (isOfBlocks) {
      const plain = { text: result.text, blocks: [] }
      const posted = await postResult(context, held, plain).catch(orSlackError)
      if (!(posted instanceof SlackError)) return posted
      if (posted.verdict !== "give_up") throw posted
    }
    const told = isOfBlocks ? { text: direct.text, blocks: [] } : direct
    return (await tellDirectly(context, held, resultPart(job), told)) ?? markTold(context, held)
  },
}

/** Edits the card. */
export const editCard = editing((job, { card: message, place }) => {
  const cardHash = message ? { cardHash: hashOfMessage(message) } : {}
  const set = { ...cardHash, failures: 0, isAwaited: undefined }
  const stale = { set: { cardHash: undefined } }
  return { ts: job.card, message, shown: withPlace(job, { set }, place), stale }
})

/** Edits the closing reply. */
export const editReply = editing((job, { result: message }) => {
  const { told } = currentRound(job)
  if (!told || !message) return { shown: {} }
  const shown = { hash: hashOfMessage(message), phase: shownPhase(job) }
  const stale = closingReplyEdited(job, { ...told, hash: "" })
  return { ts: told.ts, message, shown: closingReplyEdited(job, shown), stale }
})

/** Maximum failures in a row (about two hours) before the bot gives up on a message. */
export const MAX_FAILURES = 14

interface Posting {
  /** Name of the message among the job's messages: `card`, `result <round id>`, `review <id>` or `end <state>`. */
  part: string
  message: Message | undefined
  /** Returns what to store once Slack has it. `hash` is "" if the message is out of date. */
  posted: (job: Job, at: { ts: string; hash: string; now: number }) => Change
}

/** Change by which no post of the job is in doubt: Slack has it, refused it, or the bot gave up. */
export const NOTHING_IN_DOUBT = { set: { posting: undefined } }

/**
 * Posts a message of a job once. Stores `posting` first: a later attempt that finds it looks for
 * the message before it posts again. If the bot may not read there, it posts again, because a
 * missing ending is worse than a duplicate. An ended job gets no card that has not arrived yet.
 */
export async function post(
  context: Context,
  held: Held,
  { part, message, posted }: Posting,
): Promise<Again> {
  const { job } = held
  const found = await lookUp(context, job)
  if (found === "later") return context.settings.timing.tries.lookUpAgainMs
  if (!message) return "done"
  if (part === "card" && job.state === "ended" && found === "absent") {
    await context.jobs.change(job.id, () => NOTHING_IN_DOUBT)
    return 0
  }
  const known = typeof found === "object" && job.posting === part ? found : undefined
  if (!known && job.posting !== part)
    await context.jobs.change(job.id, () => ({ set: { posting: part } }))
  const to = { channel: job.channel, thread: part === "card" ? job.thread : threadOf(job) }
  // Before the post, so that a mention in its thread finds the job as soon as people see the card.
  const prompts = part === "card" ? await context.jobs.promptsOf(openAsks(job)) : {}
  // Slack or Redis may have taken so long to answer that another worker has posted meanwhile.
  if (!known && !held.inTime()) return 0
  const key = { job: job.id, part }
  const sent = known ?? (await context.slack.unpaced.post(to, message, key).catch(orSlackError))
  if (sent instanceof SlackError) {
    // No earlier attempt is in doubt either, unless the bot could not look for it.
    const mayBeThere = sent.verdict === "unknown" || found === "unreadable"
    if (sent.verdict === "give_up" || !mayBeThere)
      await context.jobs.change(job.id, () => NOTHING_IN_DOUBT, held)
    throw sent
  }
  const { ts } = sent
  // A found message shows what was true when it was posted, so the bot edits it next.
  const hash = known ? "" : hashOfMessage(message)
  if (part === "card") await tellUnread(context, { job: { ...job, card: ts }, prompts })
  await context.jobs.change(job.id, ({ job: latest, now }) => {
    const change = posted(latest, { ts, hash, now })
    return { ...change, set: { ...change.set, ...NOTHING_IN_DOUBT.set, failures: 0 } }
  })
  return 0
}

async function lookUp(
  { slack, jobs }: Context,
  job: Job,
): Promise<{ ts: string } | "later" | "unreadable" | "absent"> {
  if (job.posting === undefined) return "absent"
  const thread = job.posting === "card" ? job.thread : threadOf(job)
  // Slack lists a thread from its beginning, and the search reads only so many messages.
  const since = job.card ?? allAsks(job)[0]?.ts
  const found = await slack.outbound
    .find({ channel: job.channel, thread, since }, { job: job.id, part: job.posting })
    .catch(orSlackError)
  if (!(found instanceof SlackError)) return found
  // A look-up that fails repeatedly must not hold the message back forever.
  if (found.verdict === "give_up" || job.failures >= MAX_FAILURES) return "unreadable"
  await jobs.change(job.id, ({ job: latest }) => ({ set: { failures: latest.failures + 1 } }))
  return "later"
}

function postResult(context: Context, held: Held, message: Message | undefined): Promise<Again> {
  const round = currentRound(held.job).id
  const users = recipientsOf(held.job)
  const phase = shownPhase(held.job)
  const posted = (job: Job, { ts, hash }: { ts: string; hash: string }) =>
    roundTold(job, round, { ts, users, hash, phase })
  return post(context, held, { part: resultPart(held.job), message, posted })
}

/** Stores the place that a card shows with the card itself. */
function withPlace(job: Job, change: Change, place: QueuePlace | undefined): Change {
  const isShown = place && job.state === "queued" && !job.place
  return isShown ? { ...change, set: { ...change.set, place } } : change
}

interface Edit {
  ts?: string | undefined
  message?: Message | undefined
  /** Change to store once the message is edited. */
  shown: Change
  /** Change by which the message counts as out of date; absent if all its edits say the same. */
  stale?: Change
}

/** Makes a step that edits a message; a refused edit counts as made. */
export function editing(editOf: (job: Job, drawn: Drawn, gitHubHost: string) => Edit): Step {
  /** Records that the bot edited the message or gave up on that. */
  async function edited({ jobs, settings }: Context, held: Held, drawn: Drawn): Promise<Again> {
    const { id } = held.job
    const editNow = (job: Job) => editOf(job, drawn, settings.gitHubHost)
    const done = await jobs.change(id, ({ job }) => editNow(job).shown, held)
    if (typeof done === "object") return nextStep(done.job, drawn) === "none" ? "done" : 0
    // `lost`: another worker may have edited first, and Slack may show the older of the two edits.
    // So the bot edits once more.
    if (done === "lost")
      await jobs.change(id, ({ job }) => ({ ...editNow(job).stale, due: { outbox: 0 } }))
    // `gone`: the next look finds no record, and takes the job from the schedule.
    return 0
  }
  return {
    limit: "edit",
    async take(context, held, drawn) {
      const { ts, message } = editOf(held.job, drawn, context.settings.gitHubHost)
      if (!held.inTime()) return 0
      if (ts && message)
        await context.slack.unpaced.update({ channel: held.job.channel, ts }, message)
      return edited(context, held, drawn)
    },
    onRefusal: edited,
  }
}
