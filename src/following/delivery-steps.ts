import { moveOut } from "../asking/follow-ups.ts"
import { prepareAsks } from "../asking/prepare-request.ts"
import { markTold, tellDirectly, tellNoCard } from "../asking/tell-requesters.ts"
import { nextRound } from "../jobs/begin-round.ts"
import { type Change, FOLLOWED_MS } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { closingReplyEdited, roundTold } from "../jobs/end-round.ts"
import { type Job, type QueuePlace, threadOf } from "../jobs/job.ts"
import type { Again, Held, JobStore } from "../jobs/job-store.ts"
import { cardPosted, notPosted } from "../jobs/prepare-round.ts"
import { endPosted, reviewPosted, reviewPostSettled } from "../jobs/pull-transitions.ts"
import { currentRound, recipientsOf } from "../jobs/rounds.ts"
import { resultReply, shownPhase } from "../messages/closing-reply.ts"
import { endPost, peopleOf, reviewPost } from "../messages/pull-request-posts.ts"
import type { Message } from "../slack/message-types.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import { hashOfMessage } from "../slack/write-to-slack.ts"
import { claimKey } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import {
  type Drawn,
  dueEnd,
  endPart,
  nextStep,
  resultPart,
  reviewPart,
  type Step,
  settledReviewPost,
} from "./choose-action.ts"
import { compareCard, giveUpComparing } from "./compare-card.ts"
import { post } from "./post-once.ts"

interface Doing {
  /** Slack limit of which the delivery takes a turn before `take`, which then writes `unpaced`. */
  limit?: "post" | "edit"
  take: (context: Context, held: Held, drawn: Drawn) => Promise<Again>
  /** People whom the message mentions, if not those of the current round. */
  people?: (job: Job) => string[]
  /** Counts the message as posted, if all of them have muted the job. */
  skip?: (context: Context, held: Held) => Promise<Again>
  /** Handles a message that Slack refuses for good, so that the bot still writes the later ones. */
  giveUp: (context: Context, held: Held, drawn: Drawn, code: string) => Promise<Again>
}

const countAsTold = (context: Context, { job }: Held) => markTold(context, job)

export const STEPS: Readonly<Record<Exclude<Step, "none">, Doing>> = {
  prepare: {
    take: prepareAsks,
    giveUp: async ({ settings }) => settings.timing.tries.unreachableMs,
  },
  compare: {
    take: (context, held, { card }) => compareCard(context, held, card),
    giveUp: giveUpComparing,
  },
  next_round: { take: beginWaiting, giveUp: countAsTold },
  private: { take: tellNoCard, giveUp: countAsTold },
  card: {
    limit: "post",
    take: (context, held, { card, place }) =>
      post(context, held, {
        part: "card",
        message: card,
        posted: (job, at) => withPlace(job, cardPosted(job, at), place),
      }),
    // Ends the job without starting it. The step `private` tells the requester, so that a crash in
    // between cannot lose the message.
    async giveUp({ jobs }, { job: { id } }, _drawn, detail) {
      await jobs.change(id, ({ job, now }) => notPosted(job, { detail, now }))
      return 0
    },
  },
  result: {
    limit: "post",
    take: (context, held, { result }) => postResult(context, held, result),
    skip: countAsTold,
    // If Slack refuses the blocks, the bot posts the words without them. Otherwise the thread is
    // gone or closed to the bot, so it tells the requesters in direct messages.
    async giveUp(context, held, { result }, code) {
      const { job } = held
      if (!result) return markTold(context, job)
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
      return (await tellDirectly(context, held, resultPart(job), told)) ?? markTold(context, job)
    },
  },
  review: announcing(reviewPart, reviewPost, (latest, _, post) => reviewPosted(latest, post)),
  end: announcing(endPart, endPost, (latest, told) => endPosted(latest, dueEnd(told))),
  settle_review: editing((job, _drawn, gitHubHost) => {
    const said = settledReviewPost(job)
    if (!said) return { shown: {} }
    const message = reviewPost({ job, users: said.users, gitHubHost }, said)
    return { ts: said.ts, message, shown: reviewPostSettled(job, said.ts) }
  }),
  edit: editing((job, { card: message, place }) => {
    const cardHash = message ? { cardHash: hashOfMessage(message) } : {}
    const set = { ...cardHash, failures: 0, isAwaited: undefined }
    return { ts: job.card, message, shown: withPlace(job, { set }, place) }
  }),
  edit_result: editing((job, { result: message }) => {
    const { told } = currentRound(job)
    if (!told || !message) return { shown: {} }
    const shown = { hash: hashOfMessage(message), phase: shownPhase(job) }
    return { ts: told.ts, message, shown: closingReplyEdited(job, shown) }
  }),
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
}

/** Makes a step that edits a message; a refused edit counts as made. */
function editing(editOf: (job: Job, drawn: Drawn, gitHubHost: string) => Edit): Doing {
  /**
   * Records that the bot edited the message or gave up on that. If the lease was lost, another
   * worker may have edited first and Slack may show the older edit, so the bot edits once more.
   */
  async function edited({ jobs, settings }: Context, held: Held, drawn: Drawn): Promise<Again> {
    const { id } = held.job
    const shown = (job: Job) => editOf(job, drawn, settings.gitHubHost).shown
    const done = await jobs.change(id, ({ job }) => shown(job), held)
    if (done) return nextStep(done.job, drawn) === "none" ? "done" : 0
    await jobs.change(id, () => ({ set: { cardHash: undefined }, due: { outbox: 0 } }))
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
    giveUp: edited,
  }
}

/**
 * Makes a step that tells everybody who asked in a pull request what happened to it: in the thread
 * or, if Slack refuses that, in direct messages. Of several jobs of a thread that led to the same
 * pull request, only one does.
 * @param posted change to store; `post` is absent if nobody was told in the thread
 */
function announcing(
  part: (job: Job) => string,
  message: (facts: { job: Job; users: readonly string[]; gitHubHost: string }) => Message,
  posted: (latest: Job, told: Job, post?: { ts: string; users: string[] }) => Change,
): Doing {
  const countAsPosted = async ({ jobs }: Context, { job: told }: Held) => {
    await jobs.change(told.id, ({ job }) => posted(job, told))
    return 0
  }
  async function draftOf({ jobs, settings }: Context, job: Job) {
    const users = peopleOf(...(await withSamePull(jobs, job)))
    return { users, draft: message({ job, users, gitHubHost: settings.gitHubHost }) }
  }
  return {
    limit: "post",
    people: peopleOf,
    async take(context, held) {
      const { job } = held
      if (!(await isTeller(context, job, part(job)))) return countAsPosted(context, held)
      const { users, draft } = await draftOf(context, job)
      return post(context, held, {
        part: part(job),
        message: draft,
        posted: (latest, { ts }) => posted(latest, job, { ts, users }),
      })
    },
    skip: countAsPosted,
    async giveUp(context, held) {
      const { job } = held
      const { users, draft } = await draftOf(context, job)
      const againMs = await tellDirectly(context, held, part(job), draft, users)
      return againMs ?? countAsPosted(context, held)
    },
  }
}

/** Returns the jobs of a thread that led to the same pull request as this one, oldest first. */
async function withSamePull({ inThread }: Pick<JobStore, "inThread">, job: Job): Promise<Job[]> {
  const found = await inThread(job.channel, threadOf(job) ?? "")
  const others = found.flatMap(({ job: other }) =>
    other.id !== job.id && other.prLink === job.prLink ? other : [],
  )
  return [job, ...others].toSorted((a, b) => a.at - b.at)
}

/** Returns whether this one of the thread's jobs with the pull request tells people of the news. */
function isTeller({ store }: Context, job: Job, part: string): Promise<boolean> {
  const news = key("told", job.channel, threadOf(job) ?? "", job.prLink ?? "", part)
  return claimKey(store, news, FOLLOWED_MS, job.id)
}

function postResult(context: Context, held: Held, message: Message | undefined): Promise<Again> {
  const round = currentRound(held.job).id
  const users = recipientsOf(held.job)
  const phase = shownPhase(held.job)
  const posted = (job: Job, { ts, hash }: { ts: string; hash: string }): Change => {
    const { set } = roundTold(job, round, { ts, users, hash, phase })
    return { set: { ...set, failures: 0 } }
  }
  return post(context, held, { part: resultPart(held.job), message, posted })
}

async function beginWaiting(context: Context, { job }: Held): Promise<Again> {
  const hasMessages = await context.docs.deployment.offersMessages(job.project)
  const prompts = await context.jobs.promptsOf(job.waiting)
  await context.jobs.change(job.id, (found) => {
    const begun = nextRound(found.job, { hasMessages, now: found.now })
    return begun === "new_job"
      ? moveOut(context.settings.auditDays, found, found.job.waiting, prompts)
      : begun
  })
  return 0
}
