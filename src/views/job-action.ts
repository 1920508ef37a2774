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
      return what === "check_now"
        ? line("Asked the documentation service; the card will show it.")
        : undefined
    case "again":
      return line("Queued again; its card is in the thread.")
    case "recent":
      return line("That was asked a few seconds ago; the card shows what the service said.")
    case "full":
      return fullMessage(result.waiting)
    case "forgotten":
      return line(
        what === "cancel"
          ? "There is no such job, or it ended more than seven days ago. The id of a job stands on its card and in `/docs-agent status`."
          : "This job is too old: its words are no longer kept. Please ask anew.",
      )
    case "not_yours":
      return line(`:no_entry: Only ${mention(result.job.user)} or an admin of the bot can do that.`)
    case "not_now":
      return line(`That no longer applies: ${nowWords(result.job)}`)
  }
}

function nowWords(job: Job): string {
  if (isEnded(job)) return "this job has ended."
  if (job.state === "active") return "the docs agent is at work on it."
  if (job.state === "creating") return "it is just starting."
  return "it still waits in the queue."
}
