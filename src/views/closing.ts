import type { Ending, Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { actions, plain, section } from "./blocks.ts"
import { endingWords } from "./endings.ts"
import { endingButtons } from "./job-buttons.ts"
import { linkTarget, mention } from "./mrkdwn.ts"
import { safeUrl } from "./pull-request.ts"

/** The last word in the thread: it mentions the requester, once. The link is its button. */
export function closingReply(job: Job & { ending: Ending }): Message {
  const { state, next } = endingWords(job)
  const line = [`${mention(job.user)} ${state}`, next].filter(Boolean).join("\n")
  const link = job.ending === "pull_request" ? safeUrl(job.prLink) : undefined
  return {
    // A notification shows no button, so there the address is written out.
    text: [plain(line), link && linkTarget(link)].filter(Boolean).join("\n"),
    blocks: [section(line), ...actions(endingButtons(job, job.ending))],
  }
}
