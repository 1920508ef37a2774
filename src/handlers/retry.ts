import { mayActOn } from "../access/rules.ts"
import { type Ending, isEnded, type Job, threadOf } from "../jobs/job.ts"
import { actOnJob } from "../jobs/job-actions.ts"
import type { Message } from "../ports/message.ts"
import { retryQuestion } from "../views/near-miss-messages.ts"
import { actionAnswer } from "./action-answer.ts"
import type { AgentDeps } from "./deps.ts"

/** Endings after which one more job is more than "retry" may mean; its button asks there, too. */
const ASK_FIRST: ReadonlySet<Ending> = new Set([
  "pull_request",
  "no_pull_request",
  "unknown",
  "lost",
  "unfollowed",
])

/** `retry` in a job's thread. @param isUnclear it was said in other words than that one */
export async function retry(
  deps: AgentDeps,
  user: string,
  job: Job,
  isUnclear: boolean,
): Promise<Message | undefined> {
  const asksFirst = isEnded(job) && (isUnclear || ASK_FIRST.has(job.ending))
  if (asksFirst && mayActOn(deps.rules, user, job.user)) return retryQuestion(job)
  const result = await actOnJob(deps, "try_again", job.id, user)
  return actionAnswer(deps, "try_again", result, threadOf(job))
}
