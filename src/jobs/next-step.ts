import { type Ending, isEnded, type Job, type QueuePlace } from "./job.ts"

/** These endings are shown on the card only: the requester caused them, or was told privately. */
const SILENT: ReadonlySet<Ending> = new Set(["cancelled", "unfollowed", "no_card"])

/** `seek`: look for a card that may be there. `private`: tell the requester alone that none can be. */
export type Step = "card" | "edit" | "closing" | "seek" | "private" | "none"

/**
 * What to say next about a job; pure. The closing reply goes before the card's last edit: it is what
 * people wait for, and edits are the scarcer of the two.
 */
export function nextStep(job: Job, place: QueuePlace | undefined, moved: boolean): Step {
  if (job.card === undefined) return withoutCard(job)
  if (isEnded(job) && job.closing === undefined && !SILENT.has(job.ending)) return "closing"
  if (job.quiet && !isEnded(job)) return "none"
  if (job.rev !== job.shown.rev) return "edit"
  return job.state === "queued" && place !== undefined && moved ? "edit" : "none"
}

function withoutCard(job: Job): Step {
  if (!isEnded(job)) return "card"
  // A card whose post was never answered must not go on saying that the request waits.
  if (job.unsure > 0) return "seek"
  return job.ending === "no_card" && job.closing === undefined ? "private" : "none"
}
