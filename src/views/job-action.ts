import { isEnded, type Job } from "../jobs/job.ts"
import type { JobAction, JobActionResult } from "../jobs/job-actions.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { mention } from "./mrkdwn.ts"
import { fullMessage } from "./submission.ts"

/** The private answer to a click or a verb; none where the card itself will show it. */
export function jobActionMessage(what: JobAction, result: JobActionResult): Message | undefined {
  switch (result.result) {
    case "done":
      return what === "check_now" ? line("Checking now. The card will update.") : undefined
    case "again":
      return line("Queued again.")
    case "recent":
      return line("Checked a few seconds ago. The card is up to date.")
    case "full":
      return fullMessage(result)
    case "forgotten":
      return line(
        what === "cancel"
          ? "*There's no such job,* or it ended more than seven days ago. You'll find the ID on the card and in `/docs-agent status`."
          : "*This job is too old:* its request is no longer kept. Ask again in your own words.",
      )
    case "no_project":
      return line("*This project isn't configured anymore.* Ask again about another one.")
    case "not_yours":
      return notYoursMessage(result.job)
    case "not_now":
      return line(notNow(what, result.job))
  }
}

export function notYoursMessage({ user }: Job): Message {
  return line(`:no_entry: *Only ${mention(user)} or an admin can do that.*`)
}

function notNow(what: JobAction, job: Job): string {
  const isRetry = what === "try_again" || what === "run_again"
  if (isEnded(job)) return "This job has already ended."
  if (job.state === "queued")
    return isRetry ? "Nothing to retry: this is still queued." : "This is still queued."
  if (job.state === "creating") return "This is just starting. Try again in a moment."
  return isRetry
    ? "Nothing to retry: the agent is still working on this."
    : "The agent is already working on this."
}
