import type { Job, PullState } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { actions, line, linkButton } from "./blocks.ts"
import { foreignLine, mention } from "./mrkdwn.ts"
import { addressLine, pullRequestLabel, safeUrl } from "./pull-request.ts"

/** What a pull request has come to, and what can be done next. */
interface Life {
  emoji: string
  state: string
  next?: string | undefined
}

const CHANGE_IT = "To change it, mention me here."

export function pullLife(job: Job): Life {
  const life = LIVES[job.pullState ?? "open"](job)
  // The thread has said so of the same pull request.
  const isRepeated = job.follows !== undefined && job.hadPull && life.next?.endsWith(CHANGE_IT)
  return isRepeated ? { ...life, next: undefined } : life
}

const LIVES: Record<PullState, (job: Job) => Life> = {
  draft: () => ({ emoji: "memo", state: "Draft pull request", next: CHANGE_IT }),
  open: () => ({
    emoji: "white_check_mark",
    state: "Pull request ready",
    next: `Review it before merging. ${CHANGE_IT}`,
  }),
  approved: () => ({ emoji: "white_check_mark", state: "Approved", next: "Ready to merge." }),
  changes_requested: () => ({
    emoji: "speech_balloon",
    state: "Changes requested",
    next: CHANGE_IT,
  }),
  merged: ({ pullBy }) => ({
    emoji: "tada",
    state: pullBy ? `Merged by ${foreignLine(pullBy, 40)}` : "Merged",
  }),
  closed: () => ({ emoji: "no_entry_sign", state: "Closed without merging" }),
}

/** The one reminder of a pull request that nobody touched. The link is its button. */
export function pullReminder(job: Job, gitHubHost: string): Message {
  const url = safeUrl(job.prLink)
  const label = url ? foreignLine(pullRequestLabel(url, gitHubHost), 150) : "the pull request"
  const waits =
    job.pullState === "approved"
      ? "is approved but not merged yet"
      : job.pullState === "changes_requested"
        ? "is waiting for the requested changes"
        : "is waiting for a review"
  const { text, blocks } = line(`${mention(job.user)} *Still open:* ${label} ${waits}.`)
  return {
    text: `${text}${addressLine(job)}`,
    blocks: [
      ...(blocks ?? []),
      ...actions(url ? [linkButton("view_pull_request", "View pull request", url)] : []),
    ],
  }
}
