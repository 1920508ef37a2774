import { type Asking, acceptRequest } from "../asking/accept-request.ts"
import { admit, mayActOn } from "../asking/access-rules.ts"
import { answerOf } from "../asking/answer-verbs.ts"
import { jobHolding } from "../asking/same-request.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { isOver, type Job, threadOf } from "../jobs/job.ts"
import type { JobStore } from "../jobs/job-store.ts"
import { allAsks, currentRound } from "../jobs/rounds.ts"
import { say } from "../messages/private-answers.ts"
import { notYours } from "../messages/refused-actions.ts"
import { troubleMessage } from "../messages/refused-requests.ts"
import type { Click } from "../slack/payloads.ts"
import { currentTime } from "../store/script.ts"
import { noteReading, pauseLeft } from "./github-limit.ts"
import type { GitHubPulls } from "./read-pull-request.ts"
import { composeReview, type ReviewRequest } from "./review-comments.ts"

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
  const about = { project, channel, thread: threadOf(job), job: job.id }
  return { ack: await acceptRequest(asking, { ...about, ...read, user, delivery, anyway: true }) }
}

/** GitHub as one token shows it. */
export interface ReviewSource {
  pulls: Pick<GitHubPulls, "comments">
  tokenHash: string
}

/**
 * Reads the comments of reviewers. `sent`: the review is in a request already, `nothing`: so are all
 * comments; `unavailable`: GitHub refused, demands a pause or did not answer.
 */
export async function readReview(
  { store, jobs }: Pick<Context, "store" | "jobs">,
  { pulls, tokenHash }: ReviewSource,
  job: Job,
): Promise<ReviewRequest | "sent" | "nothing" | "unavailable"> {
  const { pull } = job
  const sent = await sentReviews(jobs, job)
  if (sent.includes(pull?.review?.id ?? "")) return "sent"
  if (!pull || (await pauseLeft(store, tokenHash)) > 0) return "unavailable"
  const reading = await pulls.comments(pull)
  await noteReading(store, tokenHash, reading, await currentTime(store))
  const { answer } = reading
  return "kind" in answer ? "unavailable" : (composeReview(answer, sent) ?? "nothing")
}

/** Returns the reviews in requests that were not withdrawn, whichever job they are in by now. */
async function sentReviews(jobs: JobStore, { id, pull }: Job): Promise<string[]> {
  const found = (pull?.addressed ?? []).map(async ({ review, ask }) =>
    (await jobHolding({ jobs }, id, ask)) === undefined ? [] : [review],
  )
  return (await Promise.all(found)).flat()
}
