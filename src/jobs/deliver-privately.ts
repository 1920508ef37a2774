import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../slack/message.ts"
import type { Outbound } from "../slack/outbound.ts"
import type { Job } from "./job.ts"
import type { DeliveryResult, JobStore } from "./ports.ts"
import { retryLater } from "./retry-delivery.ts"

export interface PrivateDeliveryDeps {
  jobs: Pick<JobStore, "replyUrl">
  outbound: Pick<Outbound, "respond" | "direct">
}

/** Where the bot may not post, the answer to the command itself still reaches the requester. */
export async function deliverByReplyUrl(
  deps: PrivateDeliveryDeps,
  job: Job,
  message: Message,
): Promise<DeliveryResult> {
  const url = await deps.jobs.replyUrl(job.id)
  if (!url) return deliverDirectly(deps, job, message)
  try {
    await deps.outbound.respond(url, message)
    return deliveredPrivately(job)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    return deliverDirectly(deps, job, message)
  }
}

/**
 * Tells the requester in their direct messages. Nothing private can be looked up: after a crash it
 * may be said twice, as lost would be worse.
 */
export async function deliverDirectly(
  { outbound }: Pick<PrivateDeliveryDeps, "outbound">,
  job: Job,
  message: Message,
): Promise<DeliveryResult> {
  try {
    await outbound.direct(job.user, message)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    // Given up: nobody is left to tell.
    if (error.verdict !== "give_up") return retryLater(error)
  }
  return deliveredPrivately(job)
}

function deliveredPrivately(job: Job): DeliveryResult {
  return { sure: true, closing: "elsewhere", shown: { rev: job.rev } }
}
