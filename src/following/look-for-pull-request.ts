import type { Asking } from "../asking/accept-request.ts"
import { admitted } from "../asking/access-rules.ts"
import { type ActionResult, act, latestFor, type Wish } from "../asking/act-on-job.ts"
import { answerOf } from "../asking/answer-verbs.ts"
import { wishOf } from "../asking/job-clicks.ts"
import type { AgentJob } from "../docs-service/docs-api.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { lookedAgain, mayLookAgain } from "../jobs/begin-round.ts"
import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import { endingOf } from "../jobs/rounds.ts"
import { say } from "../messages/private-answers.ts"
import type { Click } from "../slack/payloads.ts"

/** Answers *Look for a pull request*: privately, unless the thread is told of what was found. */
export const answerLook = admitted(async (asking: Asking, click: Click) => {
  const found = await lookAgain(asking.context, wishOf(click))
  return found.result === "none_found" || found.result === "unread"
    ? { ack: say(found.result) }
    : { ack: answerOf(asking, found, "look_again") }
})

/**
 * Asks the service about a job without a pull request, and resumes polling it only if there is news:
 * then people are told in the thread. Only its requesters and admins may do so.
 */
async function lookAgain(
  context: Context,
  wish: Wish,
): Promise<ActionResult | { result: "none_found" } | { result: "unread" }> {
  const { user } = wish
  const found = await latestFor(context, wish)
  if ("result" in found) return found
  const { job } = found
  if (!mayLookAgain(job)) return { result: "not_now", job }
  const answer = await context.docs.api.getJob(job.project, job.agentJobId).catch(orDocsError)
  if (answer instanceof DocsError)
    return { result: answer.fault === "not_found" ? "none_found" : "unread" }
  if (!isNews(job, answer)) return { result: "none_found" }
  return act(context, found, (latest) => lookedAgain(latest.job, { user, now: latest.now }))
}

/** Returns whether a job that ended without a pull request runs again, has one, or had no ending. */
function isNews(job: Job, answer: AgentJob): boolean {
  const hasLink = (answer.prLink ?? job.prLink) !== undefined
  return endingOf(job) === "lost" || answer.status === "active" || hasLink
}
