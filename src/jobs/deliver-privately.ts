import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { ELSEWHERE, type Job } from "./job.ts"
import type { JobStore } from "./ports.ts"
import { retryLater } from "./retry-delivery.ts"
import type { DeliveryResult } from "./worker-ports.ts"

interface PrivateDeliveryDeps {
  jobs: Pick<JobStore, "replyUrl">
  outbound: Pick<Outbound, "respond" | "direct">
}

/** A card, where there is one, is still to say it to everybody else. */
const DELIVERED: DeliveryResult = { sure: true, closing: ELSEWHERE, againMs: 0 }

/** Where the bot may not post, the answer to the command itself still reaches the requester. */
export async function deliverByReplyUrl(
  deps: PrivateDeliveryDeps,
  job: Job,
  message: Message,
): Promise<DeliveryResult> {
  const url = await deps.jobs.replyUrl(job.id)
  if (!url) return deliverDirectly(deps, job, message)
  const refused = await deps.outbound.respond(url, message).catch(orSlackError)
  return refused ? deliverDirectly(deps, job, message) : DELIVERED
}

/**
 * Tells the requester in their direct messages. Nothing private can be looked up: after a crash it
 * may be said twice, as lost would be worse.
 */
export async function deliverDirectly(
  { outbound }: { outbound: Pick<Outbound, "direct"> },
  job: Job,
  message: Message,
): Promise<DeliveryResult> {
  const told = await outbound.direct(job.user, message).catch(orSlackError)
  // Given up: nobody is left to tell.
  const refused = told instanceof SlackError && told.verdict !== "give_up"
  return refused ? retryLater(told) : DELIVERED
}

/**
 * Tells the requester alone, where their card was just posted. Slack shows an ephemeral message in a thread only
 * where the thread has a reply, and in the bot's own direct message everything is private. What cannot
 * be said there is said directly; what cannot be said at all is lost, as the job must start.
 */
export async function tellInThread(
  { outbound }: { outbound: Pick<Outbound, "post" | "postEphemeral" | "direct"> },
  { channel, thread, user }: Job,
  message: Message,
): Promise<void> {
  const told = channel.startsWith("D")
    ? outbound.post({ channel, thread }, message)
    : outbound.postEphemeral({ channel, thread, user }, message)
  const refused = await told.then(() => undefined, orSlackError)
  if (refused && refused.verdict !== "unknown")
    await outbound.direct(user, message).catch(orSlackError)
}
