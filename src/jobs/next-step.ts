import { createHash } from "node:crypto"
import type { Message } from "../messages/blocks.ts"
import { currentAsks, ELSEWHERE, isEnded, type Job, type QueuePlace, waitingAsks } from "./job.ts"
import { isTold } from "./transitions.ts"

/**
 * The next thing to do in Slack about a job. `prepare`: look up who asks and what they refer to. `seek`: look
 * for a card that may have been posted. `private`: tell only the requester that no card can be posted.
 * `next_round`: begin what waited.
 */
export type Step =
  | ("prepare" | "card" | "seek" | "private" | "edit" | "result" | "edit_result")
  | ("review" | "next_round" | "none")

/** The messages as they would be written now. */
export interface Drawn {
  /** Absent where the card stays as it is: its words are forgotten, or its place has not moved. */
  card?: Message | undefined
  result?: Message | undefined
  /** The place that the card shows. */
  place?: QueuePlace | undefined
}

/**
 * Decides what to do next about a job; pure. The closing reply goes before the card's last edit: it is
 * what people wait for, and edits are the scarcer of the two.
 */
export function nextStep(job: Job, { card, result }: Drawn): Step {
  if (job.state !== "ended" && job.asks.some(({ isPrepared }) => !isPrepared)) return "prepare"
  if (job.card === undefined) return withoutCard(job)
  const isReviewDue = job.pull?.review?.state === "due"
  // A post in doubt is looked for before another one is begun, which would forget it.
  if (isReviewDue && job.posting === reviewPart(job)) return "review"
  if (job.state === "ended" && !isTold(job)) return "result"
  if (card && printOf(card) !== job.shown) return "edit"
  if (result && job.result && printOf(result) !== job.result.print) return "edit_result"
  if (isReviewDue && job.state === "ended") return "review"
  return job.state === "ended" && waitingAsks(job).length > 0 ? "next_round" : "none"
}

/** Names the post about a review among a job's posts. */
export function reviewPart({ pull }: Job): string {
  return `review ${pull?.review?.id ?? ""}`
}

function withoutCard(job: Job): Step {
  if (!isEnded(job)) return "card"
  // A card whose post was never answered must not go on saying that the request waits.
  if (job.posting !== undefined) return "seek"
  return job.ending === "no_card" && job.result === undefined ? "private" : "none"
}

/** Everybody whose request the round carried out, without those who have muted it. */
export function recipientsOf(job: Job): string[] {
  const askers = currentAsks(job).map(({ user }) => user)
  const all = new Set(askers.length > 0 ? askers : [job.user])
  return [...all].filter((user) => !job.muted.includes(user))
}

/** Tells whether the present round has a closing reply that can be edited. */
export function hasResult({ result, round }: Job): boolean {
  return result !== undefined && result.ts !== ELSEWHERE && result.round === round
}

/** Tells one message from another. */
export function printOf(message: Message): string {
  return createHash("sha256").update(JSON.stringify(message)).digest("base64url").slice(0, 22)
}
