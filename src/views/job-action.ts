import { isEnded, type Job } from "../jobs/job.ts"
import type { JobAction, JobActionResult } from "../jobs/job-actions.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { link, mention } from "./mrkdwn.ts"
import { fullMessage } from "./request-messages.ts"

/**
 * The private answer to a click or a verb; none where the card itself will show it.
 * @param card address of the job's card, where it is known
 */
export function jobActionMessage(
  what: JobAction,
  result: JobActionResult,
  card?: string,
): Message | undefined {
  switch (result.result) {
    case "done":
      return what === "check_now" ? line("Checking now. The card will update.") : undefined
    case "again":
      return line(`Queued again in ${card ? link(card, "its thread") : "its thread"}.`)
    case "recent":
      return line("Checked a few seconds ago. The card is up to date.")
    case "full":
      return fullMessage(result)
    case "forgotten":
      return line(
        what === "cancel"
          ? "*There's no such job,* or it ended more than seven days ago. You'll find the ID on the card and in `/docs-agent status`."
          : "*This job is too old:* I no longer have its request. Send the request again.",
      )
    case "no_project":
      return line("*This project isn't configured anymore.* Ask again about another one.")
    case "not_yours":
      return notYoursMessage(result.job)
    case "not_now":
      return line(notNow(what, result.job, card))
  }
}

export function notYoursMessage({ user }: Job): Message {
  return line(`:no_entry: *Only ${mention(user)} or an admin can do that.*`)
}

function notNow(what: JobAction, job: Job, card: string | undefined): string {
  const isRetry = what === "try_again" || what === "run_again"
  if (isEnded(job))
    return `*This job has already ended${card ? `:* ${link(card, "view it")}.` : ".*"}`
  if (job.state === "queued")
    return isRetry ? "Nothing to retry: this is still queued." : "This is still queued."
  if (job.state === "creating") return "This is just starting. Try again in a moment."
  if (isRetry) return "Nothing to retry: the agent is still working on this."
  return what === "cancel"
    ? "*Too late to cancel:* the agent is already working on this. To turn off its notifications, choose *Stop following* on the card."
    : "The agent is already working on this."
}
