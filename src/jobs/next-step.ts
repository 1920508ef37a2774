import { type Ending, isEnded, isReplied, type Job, type QueuePlace } from "./job.ts"

/**
 * What to write next. `seek`: look for a card that may have been posted. `private`: tell only the requester
 * that no card can be posted. `edit_closing`: update the closing reply with what happened since.
 */
export type Step =
  | ("card" | "edit" | "closing" | "seek" | "private" | "none")
  | ("edit_closing" | "reminder")

/** These endings are shown on the card only: the requester caused them, or was told privately. */
const SILENT: ReadonlySet<Ending> = new Set(["cancelled", "unfollowed", "no_card"])

/**
 * What to say next about a job; pure. The closing reply goes before the card's last edit: it is what
 * people wait for, and edits are the scarcer of the two.
 */
export function nextStep(job: Job, place: QueuePlace | undefined, moved: boolean): Step {
  if (job.card === undefined) return withoutCard(job)
  if (isEnded(job) && job.closing === undefined && !SILENT.has(job.ending)) return "closing"
  if (job.rev !== job.shown.rev) return "edit"
  if (hasLaterNews(job)) return "edit_closing"
  if (job.reminder === "due") return "reminder"
  return job.state === "queued" && place !== undefined && moved ? "edit" : "none"
}

function withoutCard(job: Job): Step {
  if (!isEnded(job)) return "card"
  // A card whose post was never answered must not go on saying that the request waits.
  if (job.unsure > 0) return "seek"
  return job.ending === "no_card" && job.closing === undefined ? "private" : "none"
}

/** Is there something new since the closing reply was written? One that went elsewhere stays as it is. */
export function hasLaterNews(job: Job): boolean {
  return job.later.rev !== job.later.shown && isReplied(job)
}

export function isEdit(step: Step): boolean {
  return step === "edit" || step === "edit_closing"
}
