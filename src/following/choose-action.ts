import { createHash } from "node:crypto"
import { currentAsks, isTold, waitingAsks } from "../jobs/asks.ts"
import { isEnded, type Job } from "../jobs/job.ts"
import type { Message } from "../slack/message.ts"

/**
 * Next action in Slack for a job. `prepare`: look up the requesters and what they refer to.
 * `private`: tell only the requester that the bot cannot post a card. `next_round`: begin the
 * waiting follow-ups.
 */
export type Step =
  | ("prepare" | "card" | "private" | "edit" | "result" | "edit_result")
  | ("review" | "next_round" | "none")

export interface Drawn {
  card?: Message | undefined
  result?: Message | undefined
}

/**
 * Decides what to do next for a job. Pure. Posts the closing reply before the card's last edit:
 * people wait for the reply, and Slack allows fewer edits than posts.
 */
export function nextStep(job: Job, { card, result }: Drawn): Step {
  if (job.state !== "ended" && job.asks.some(({ isPrepared }) => !isPrepared)) return "prepare"
  if (job.card === undefined) return withoutCard(job)
  const isReviewDue = job.pull?.review?.state === "due"
  // If a post is in doubt, the bot looks for it before it begins another one, which would overwrite
  // `posting`.
  if (isReviewDue && job.posting === reviewPart(job)) return "review"
  if (job.state === "ended" && !isTold(job)) return "result"
  if (card && hashOfMessage(card) !== job.cardHash) return "edit"
  if (result && hasResult(job) && hashOfMessage(result) !== job.result?.hash) return "edit_result"
  if (isReviewDue && job.state === "ended") return "review"
  return job.state === "ended" && waitingAsks(job).length > 0 ? "next_round" : "none"
}

export function reviewPart({ pull }: Job): string {
  return `review ${pull?.review?.id ?? ""}`
}

function withoutCard(job: Job): Step {
  // If Slack never answered the card's post, the card may exist and must not go on saying that the
  // request waits.
  if (!isEnded(job) || job.posting !== undefined) return "card"
  return job.ending === "no_card" && job.result === undefined ? "private" : "none"
}

/** Returns everybody whose request the round carried out and who has not muted the job. */
export function recipientsOf(job: Job): string[] {
  const askers = currentAsks(job).map(({ user }) => user)
  const all = new Set(askers.length > 0 ? askers : [job.user])
  return [...all].filter((user) => !job.muted.includes(user))
}

export function hasResult({ result, round }: Job): boolean {
  return result?.ts !== undefined && result.round === round
}

export function hashOfMessage(message: Message): string {
  return createHash("sha256").update(JSON.stringify(message)).digest("base64url").slice(0, 22)
}
