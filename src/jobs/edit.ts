import type { Outbound } from "../ports/outbound.ts"
import { isEnded, type Job, type QueuePlace } from "./job.ts"
import { hasLaterNews } from "./next-step.ts"
import type { Prompt } from "./ports.ts"
import type { DeliveryResult, JobViews } from "./worker-ports.ts"

interface EditDeps {
  outbound: Pick<Outbound, "update">
  views: Pick<JobViews, "card" | "closing">
}

/** Brings a card up to date. */
export async function edit(
  deps: EditDeps,
  job: Job,
  prompt: Prompt | undefined,
  place: QueuePlace | undefined,
): Promise<DeliveryResult> {
  const card = { channel: job.channel, ts: job.card ?? "" }
  const more = hasLaterNews(job) || job.reminder === "due" ? { againMs: 0 } : {}
  // Words are forgotten before a pull request is: the card then keeps what it shows.
  const stays = prompt === undefined && job.later.rev > 0 && !job.isForgotten
  if (!stays) await deps.outbound.update(card, deps.views.card(job, prompt, place))
  return { sure: true, shown: { rev: job.rev, ...place }, ...more }
}

/** Brings a closing reply up to date. */
export async function editClosing(deps: EditDeps, job: Job): Promise<DeliveryResult> {
  const { channel, closing: ts = "", later } = job
  if (isEnded(job)) await deps.outbound.update({ channel, ts }, deps.views.closing(job))
  return { sure: true, laterShown: later.rev, againMs: 0 }
}
