import type { Outbound } from "../ports/outbound.ts"
import { isEnded, type Job, type QueuePlace } from "./job.ts"
import { hasLaterNews } from "./next-step.ts"
import type { Prompt } from "./ports.ts"
import type { DeliveryResult, Deployment, JobViews } from "./worker-ports.ts"

interface EditDeps extends Deployment {
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
  // Words are forgotten before a pull request is: the card then keeps what it shows.
  const stays = prompt === undefined && job.later.rev > 0 && !job.isForgotten
  const { outbound, views, projects, gitHubHost } = deps
  if (!stays) await outbound.update(card, views.card(job, prompt, place, projects, gitHubHost))
  return afterCard(job, place)
}

/** The card says what it can: the closing reply and the reminder come after it, and have news of their own. */
export function afterCard(job: Job, place?: QueuePlace): DeliveryResult {
  const more = hasLaterNews(job) || job.reminder === "due" ? { againMs: 0 } : {}
  return { sure: true, shown: { rev: job.rev, ...place }, ...more }
}

/** Brings a closing reply up to date. */
export async function editClosing(
  { outbound, views, gitHubHost }: EditDeps,
  job: Job,
): Promise<DeliveryResult> {
  const { channel, closing: ts = "", later } = job
  if (isEnded(job)) await outbound.update({ channel, ts }, views.closing(job, gitHubHost))
  return { sure: true, laterShown: later.rev, againMs: 0 }
}
