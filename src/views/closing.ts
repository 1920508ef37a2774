import type { Ending, Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { actions, plain, section } from "./blocks.ts"
import { endingLine } from "./endings.ts"
import { endingButtons } from "./job-buttons.ts"
import { mention } from "./mrkdwn.ts"

/** The last word in the thread: it mentions the requester, once. */
export function closingReply(job: Job & { ending: Ending }): Message {
  const line = `${mention(job.user)} ${endingLine(job)}`
  return {
    text: plain(line),
    blocks: [section(line), ...actions(endingButtons(job, job.ending))],
  }
}
