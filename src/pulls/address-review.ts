import { mayActOn } from "../asking/access-rules.ts"
import { admit } from "../asking/admit.ts"
import { acceptRequest } from "../asking/answer-request.ts"
import { answerOf } from "../asking/answer-words.ts"
import type { Asking } from "../asking/asking.ts"
import { askId } from "../asking/new-job.ts"
import type { Reply } from "../asking/reply.ts"
import { isOver, threadOf } from "../jobs/job.ts"
import { reviewAddressed } from "../jobs/pull-transitions.ts"
import { allAsks, currentRound } from "../jobs/rounds.ts"
import { notYours, say } from "../messages/private-answers.ts"
import { troubleMessage } from "../messages/refusals.ts"
import type { Click } from "../slack/payloads.ts"
import { type ReviewSource, readReview } from "./review.ts"

/** Turns a review's comments into a follow-up. Only the requesters and admins may do so. */
export async function addressReview(
  asking: Asking,
  reviews: ReviewSource | undefined,
  click: Click,
): Promise<Reply> {
  const { context } = asking
  const { access } = context.settings
  const entry = await admit(context, click)
  if ("refusal" in entry) return { ack: entry.refusal }
  const { user } = click
  const found = await context.jobs.find(click.value)
  if (!found) return { ack: say("request_expired") }
  const { job } = found
  if (!mayActOn(access, user, allAsks(job)))
    return { ack: notYours(allAsks(job).map((ask) => ask.user)) }
  const { review, state, addressed = [] } = job.pull ?? {}
  if (!review || isOver(state) || state === "approved")
    return { ack: answerOf(asking, { result: "not_now", job }, "address_review") }
  const read = reviews ? await readReview(context, reviews, job) : "unavailable"
  if (read === "unavailable") return { ack: troubleMessage("review_unread", access.admins) }
  if (read === "sent") return { ack: say("review_addressed") }
  if (read === "nothing") return { ack: say("review_empty") }
  const { project, channel } = job
  // Differs from that of a cancelled follow-up, so that the review can be sent again.
  const delivery = `review:${job.id}:${review.id}:${currentRound(job).id}:${addressed.length}`
  const ack = await acceptRequest(asking, {
    project,
    channel,
    thread: threadOf(job),
    user,
    job: job.id,
    kind: "review",
    prompt: read.prompt,
    delivery,
    anyway: true,
  })
  const ask = askId(delivery)
  if (!ack)
    await context.jobs.change(job.id, ({ job: latest }) =>
      reviewAddressed(latest, ask, read.reviews),
    )
  return { ack }
}
