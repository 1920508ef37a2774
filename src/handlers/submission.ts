import type { Submission } from "../jobs/submit.ts"
import type { Message } from "../ports/message.ts"
import { acceptedMessage, duplicateMessage, fullMessage } from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"

/** What the requester is told privately about a submission, from whichever entry it came. */
export async function submissionMessage(
  { jobs, permalink }: Pick<AgentDeps, "jobs" | "permalink">,
  submission: Submission,
): Promise<Message> {
  switch (submission.outcome) {
    case "queued":
      return acceptedMessage()
    case "full":
      return fullMessage(submission.waiting)
    case "duplicate": {
      const other = await jobs.get(submission.id)
      const url = other?.card && permalink(other.channel, other.card)
      return duplicateMessage(url || undefined, submission.draft)
    }
  }
}
