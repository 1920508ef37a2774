import type { Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { actions, line, linkButton } from "./blocks.ts"
import { foreignLine, link, mention } from "./mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "./pull-request.ts"

/** What a pull request has come to, and what can be done next. */
interface Life {
  state: string
  next?: string
}

const CHANGE_IT = "To change it, mention me in this thread."

/** @param label the pull request, already made safe */
export function pullLife({ pullState, pullBy }: Job, label: string): Life {
  switch (pullState) {
    case "draft":
      return { state: `:memo: *Draft pull request:* ${label}`, next: CHANGE_IT }
    case "approved":
      return { state: `:white_check_mark: *Approved:* ${label}`, next: "It can be merged." }
    case "changes_requested":
      return { state: `:speech_balloon: *Changes requested:* ${label}`, next: CHANGE_IT }
    case "merged": {
      const by = pullBy ? ` by ${foreignLine(pullBy, 40)}` : ""
      return { state: `:tada: *Merged${by}:* ${label}` }
    }
    case "closed":
      return { state: `:heavy_minus_sign: *Closed without merging:* ${label}` }
    default:
      return {
        state: `:white_check_mark: *Pull request ready:* ${label}`,
        next: `Review it before merging. ${CHANGE_IT}`,
      }
  }
}

/** The one reminder of a pull request that nobody touched. */
export function pullReminder(job: Job, gitHubHost: string): Message {
  const url = safeUrl(job.prLink)
  const label = url ? link(url, pullRequestLabel(url, gitHubHost)) : "the pull request"
  const waits =
    job.pullState === "approved"
      ? "is approved and not merged yet"
      : job.pullState === "changes_requested"
        ? "has changes requested"
        : "is waiting for a review"
  const { text, blocks } = line(`${mention(job.user)} *Still open:* ${label} ${waits}.`)
  return {
    text,
    blocks: [
      ...(blocks ?? []),
      ...actions(url ? [linkButton("view_pull_request", "View pull request", url)] : []),
    ],
  }
}
