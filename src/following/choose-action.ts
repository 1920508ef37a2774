import { isOver, type Job, type Pull, type QueuePlace } from "../jobs/job.ts"
import { isTold } from "../jobs/round-record.ts"
import { currentRound, openAsks, sentAsks } from "../jobs/rounds.ts"
import type { Message } from "../slack/message-types.ts"
import { hashOfMessage } from "../slack/write-to-slack.ts"

/**
 * Next action in Slack for a job. `prepare`: look up the requesters and what they refer to.
 * `private`: tell only the requester that the bot cannot post a card. `next_round`: begin the
 * waiting follow-ups. `compare`: read the card, before anything is written to it.
 */
export type StepName =
  | ("prepare" | "card" | "private" | "edit" | "result" | "edit_result")
  | ("review" | "settle_review" | "end" | "next_round" | "compare" | "none")

export interface Drawn {
  card?: Message | undefined
  result?: Message | undefined
  /** Place in the queue that the card shows, unless the job has stored one. */
  place?: QueuePlace | undefined
}

/** Decides what to do next for a job. Pure. */
export function nextStep(job: Job, drawn: Drawn): StepName {
  const step = stepBeforeEdits(job) ?? nextEdit(job, drawn)
  return step ?? (settledReviewPost(job) ? "settle_review" : "none")
}

/**
 * Returns the step to take whatever the messages in Slack show. Posts what is new, and begins the
 * waiting follow-ups, before the card's last edit: people wait for these, and Slack allows fewer
 * edits than posts.
 */
export function stepBeforeEdits(job: Job): StepName | undefined {
  if (isToCompare(job)) return "compare"
  if (job.state !== "ended" && openAsks(job).some(({ isPrepared }) => !isPrepared)) return "prepare"
  if (job.card === undefined) return withoutCard(job)
  // If a post is in doubt, the bot looks for it before it begins another one, which would overwrite
  // `posting`.
  if (isReviewDue(job) && job.posting === reviewPart(job)) return "review"
  if (dueEnd(job) && job.posting === endPart(job)) return "end"
  return job.state === "ended" ? stepAfterEnd(job) : undefined
}

function stepAfterEnd(job: Job): StepName | undefined {
  if (!isTold(currentRound(job))) return "result"
  if (isReviewDue(job)) return "review"
  if (dueEnd(job)) return "end"
  return job.waiting.length > 0 ? "next_round" : undefined
}

/** Returns the edit of the message that shows something else than was drawn now. */
function nextEdit(job: Job, { card, result }: Drawn): StepName | undefined {
  const { told } = currentRound(job)
  if (card && hashOfMessage(card) !== job.cardHash) return "edit"
  const isReplyOld = told?.ts !== undefined && result && hashOfMessage(result) !== told.hash
  return isReplyOld ? "edit_result" : undefined
}

function isReviewDue({ pull }: Job): boolean {
  return pull?.review?.state === "due"
}

export function reviewPart({ pull }: Job): string {
  return `review ${pull?.review?.id ?? ""}`
}

export function endPart({ pull }: Job): string {
  return `end ${pull?.state ?? ""}`
}

/** Returns the end of the pull request that people have yet to be told of; a merge is the last. */
export function dueEnd({ pull }: Job): Pull["endTold"] {
  if (!pull || !isOver(pull.state)) return undefined
  return pull.endTold === "merged" || pull.endTold === pull.state ? undefined : pull.state
}

/** Returns a post whose *Address the review* would do nothing any more. */
export function settledReviewPost(job: Job) {
  const { review, state, reviewPosts = [], addressed = [] } = job.pull ?? {}
  // Until it is sent, the follow-up may be cancelled, and the review addressed again.
  const sent = new Set(sentAsks(job).map(({ id }) => id))
  const isSent = addressed.some((one) => one.review === review?.id && sent.has(one.ask))
  return isOver(state) || isSent ? reviewPosts[0] : undefined
}

function withoutCard(job: Job): StepName {
  // If Slack never answered the card's post, the card may exist and must not go on saying that the
  // request waits.
  const { ending, told } = currentRound(job)
  if (job.state !== "ended" || job.posting !== undefined) return "card"
  return ending === "no_card" && told === undefined ? "private" : "none"
}

export function resultPart(job: Job): string {
  return `result ${currentRound(job).id}`
}

/** Returns whether the card must be read before the bot writes to it, or its round ends unsent. */
export function isToCompare({ doubt, state }: Pick<Job, "doubt" | "state">): boolean {
  return doubt === "open" || (doubt === "stale" && state === "queued")
}
