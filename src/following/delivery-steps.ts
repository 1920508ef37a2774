import { moveOut } from "../asking/new-job.ts"
import { prepareAsks } from "../asking/prepare-request.ts"
import { markTold, tellDirectly, tellNoCard, toldIn } from "../asking/tell-requesters.ts"
import { nextRound } from "../jobs/begin-round.ts"
import type { Change } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { isOver, type Job, type QueuePlace } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { endPosted, reviewPosted, reviewPostSettled } from "../jobs/pull-transitions.ts"
import { currentRound, peopleOf, recipientsOf, withCurrent } from "../jobs/rounds.ts"
import { cardPosted, notPosted } from "../jobs/transitions.ts"
import { endPost, resultReply, reviewPost } from "../messages/thread-posts.ts"
import type { Message } from "../slack/message.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import {
  type Drawn,
  dueEnd,
  endPart,
  hashOfMessage,
  nextStep,
  resultPart,
  reviewPart,
  type Step,
  settledReviewPost,
} from "./choose-action.ts"
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
  review: {
    limit: "post",
    people: peopleOf,
    take: (context, held) =>
      post(context, held, {
        part: reviewPart(held.job),
        message: reviewMessage(context, held),
        posted: (job, { ts }) => reviewPosted(job, { ts, users: peopleOf(job) }),
      }),
    skip: countReviewAsPosted,
    async giveUp(context, held) {
      const { job } = held
      const message = reviewMessage(context, held)
      const againMs = await tellDirectly(context, held, reviewPart(job), message, peopleOf(job))
      return againMs ?? countReviewAsPosted(context, held)
    },
  },
  settle_review: {
    limit: "edit",
    async take(context, held) {
      const { job } = held
      const said = settledReviewPost(job)
      if (!said) return 0
      const message = reviewPost(
        { job, users: said.users, gitHubHost: context.settings.gitHubHost },
        said,
      )
      await context.slack.unpaced.update({ channel: job.channel, ts: said.ts }, message)
      return countReviewAsSettled(context, held)
    },
    giveUp: countReviewAsSettled,
  },
  end: {
    limit: "post",
    people: peopleOf,
    take: (context, held) => {
      const end = dueEnd(held.job)
      return post(context, held, {
        part: endPart(held.job),
        message: end && endMessage(context, held),
        posted: (job) => endPosted(job, end ?? "closed"),
      })
    },
    skip: countEndAsTold,
    async giveUp(context, held) {
      const { job } = held
      const message = endMessage(context, held)
      const againMs = await tellDirectly(context, held, endPart(job), message, peopleOf(job))
      return againMs ?? countEndAsTold(context, held)
    },
  },
  edit: editing((job, { card: message, place }) => {
    const cardHash = message ? { cardHash: hashOfMessage(message) } : {}
    const set = { ...cardHash, failures: 0, isAwaited: undefined }
    return { ts: job.card, message, shown: withPlace(job, { set }, place) }
  }),
  edit_result: editing((job, { result: message }) => {
    const { told } = currentRound(job)
    const isEdited = told !== undefined && message !== undefined
    const rounds = isEdited && withCurrent(job, { told: { ...told, hash: hashOfMessage(message) } })
    return { ts: told?.ts, message, shown: rounds ? { set: { rounds, failures: 0 } } : {} }
  }),
}

/** Stores the place that a card shows with the card itself. */
function withPlace(job: Job, change: Change, place: QueuePlace | undefined): Change {
  const isShown = place && job.state === "queued" && !job.place
  return isShown ? { ...change, set: { ...change.set, place } } : change
}

interface Edit {
  ts: string | undefined
  message: Message | undefined
  /** Change to store once the message is edited. */
  shown: Change
}

/** Makes a step that edits a message; a refused edit counts as made. */
function editing(editOf: (job: Job, drawn: Drawn) => Edit): Doing {
  /**
   * Records that the bot edited the message or gave up on that. If the lease was lost, another
   * worker may have edited first and Slack may show the older edit, so the bot edits once more.
   */
  async function edited({ jobs }: Context, held: Held, drawn: Drawn): Promise<Again> {
    const { id } = held.job
    const done = await jobs.change(id, ({ job }) => editOf(job, drawn).shown, held)
    if (done) return nextStep(done.job, drawn) === "none" ? "done" : 0
    await jobs.change(id, () => ({ set: { cardHash: undefined }, due: { outbox: 0 } }))
    return 0
  }
  return {
    limit: "edit",
    async take(context, held, drawn) {
      const { ts, message } = editOf(held.job, drawn)
      if (ts && message)
        await context.slack.unpaced.update({ channel: held.job.channel, ts }, message)
      return edited(context, held, drawn)
    },
    giveUp: edited,
  }
}

function postResult(context: Context, held: Held, message: Message | undefined): Promise<Again> {
  const { pull } = held.job
  const round = currentRound(held.job).id
  const users = recipientsOf(held.job)
  const when = isOver(pull?.state) ? { wasOver: true as const } : {}
  const posted = (job: Job, { ts, hash }: { ts: string; hash: string }): Change => ({
    set: { ...toldIn(job, round, { ts, users, hash, ...when }), failures: 0, posting: undefined },
  })
  return post(context, held, { part: resultPart(held.job), message, posted })
}

function reviewMessage({ settings }: Context, { job }: Held): Message {
  return reviewPost({ job, users: peopleOf(job), gitHubHost: settings.gitHubHost })
}

function endMessage({ settings }: Context, { job }: Held): Message {
  return endPost({ job, users: peopleOf(job), gitHubHost: settings.gitHubHost })
}

async function countEndAsTold({ jobs }: Context, { job }: Held): Promise<Again> {
  const end = dueEnd(job)
  await jobs.change(job.id, ({ job: is }) => (end ? endPosted(is, end) : undefined))
  return 0
}

async function countReviewAsSettled({ jobs }: Context, { job }: Held): Promise<Again> {
  const said = settledReviewPost(job)
  await jobs.change(job.id, ({ job: is }) => said && reviewPostSettled(is, said.ts))
  return 0
}

async function countReviewAsPosted({ jobs }: Context, { job }: Held): Promise<Again> {
  await jobs.change(job.id, ({ job: is }) => reviewPosted(is))
  return 0
}

async function beginWaiting(context: Context, { job }: Held): Promise<Again> {
  const hasMessages = await context.docs.messages.isOffered(job.project)
  const prompts = await context.jobs.promptsOf(job.waiting)
  await context.jobs.change(job.id, (found) => {
    const begun = nextRound(found.job, { hasMessages, now: found.now })
    return begun === "new_job"
      ? moveOut(context.settings.auditDays, found, found.job.waiting, prompts)
      : begun
  })
  return 0
}
