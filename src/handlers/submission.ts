import type { NewJob } from "../jobs/ports.ts"
import type { Submission } from "../jobs/submit.ts"
import type { Message } from "../ports/message.ts"
import { unclearMessage } from "../views/near-miss-messages.ts"
import { duplicateMessage, fullMessage } from "../views/request-messages.ts"
import type { AgentDeps } from "./deps.ts"

/** Where it may be no request at all, the person is asked first. */
export async function askFirst(
  { jobs }: Pick<AgentDeps, "jobs">,
  request: NewJob,
): Promise<Message> {
  const { idempotencyKey: _, via: __, ...draft } = request
  return unclearMessage(request.prompt.words, await jobs.saveDraft(draft))
}

/**
 * What the requester is told privately about a submission, from whichever entry it came. Nothing about
 * one that is queued: its card says all there is, or the refusal to post it does.
 */
export async function submissionMessage(
  { jobs, permalink }: Pick<AgentDeps, "jobs" | "permalink">,
  submission: Submission,
): Promise<Message | undefined> {
  switch (submission.outcome) {
    case "queued":
      return undefined
    case "full":
      return fullMessage(submission)
    case "duplicate": {
      const other = await jobs.get(submission.id)
      const url = other?.card && permalink(other.channel, other.card)
      return duplicateMessage(url || undefined, submission.draft)
    }
  }
}
