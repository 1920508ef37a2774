import type { Ending, Job } from "../jobs/job.ts"
import type { Message } from "../slack/message.ts"
import { actions, linkButton, section } from "./blocks.ts"
import { again } from "./card.ts"
import { endingLine, plain } from "./endings.ts"
import { mention } from "./mrkdwn.ts"
import { safeUrl } from "./pull-request.ts"

/** The last word in the thread: it mentions the requester, once. */
export function closingReply(job: Job & { ending: Ending }): Message {
  const line = `${mention(job.user)} ${endingLine(job)}`
  const url = safeUrl(job.prLink)
  const view = url ? [linkButton("view_pull_request", "View pull request", url)] : []
  return {
    text: plain(line),
    blocks: [section(line), ...actions([...view, ...again(job, job.ending)])],
  }
}
