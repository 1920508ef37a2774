import { threadOf } from "../jobs/job.ts"
import type { JobAction, JobActionResult } from "../jobs/job-actions.ts"
import type { Message } from "../ports/message.ts"
import { jobActionMessage } from "../views/job-action.ts"
import type { AgentDeps } from "./deps.ts"

/**
 * The private answer to a click or a verb, with the way to the card it is about.
 * @param thread in which it was clicked or said: the card of a job that was queued again appears right there
 */
export function actionAnswer(
  { permalink }: Pick<AgentDeps, "permalink">,
  what: JobAction,
  result: JobActionResult,
  thread?: string,
): Message | undefined {
  if (result.result === "again" && thread !== undefined) return undefined
  const job = "job" in result ? result.job : undefined
  const ts = job && (result.result === "again" ? threadOf(job) : job.card)
  return jobActionMessage(what, result, ts ? permalink(job.channel, ts) : undefined)
}
