import type { Ending, Job } from "../jobs/job.ts"
import { foreignLine, link } from "./mrkdwn.ts"
import { pullRequestLabel, pullRequestSoFar, safeUrl } from "./pull-request.ts"

type Ended = Job & { ending: Ending }

/** The state in one line, for the card and the closing reply alike. */
export function endingLine(job: Ended): string {
  return LINES[job.ending](job)
}

const LINES: Record<Ending, (job: Ended) => string> = {
  pull_request: (job) => {
    const url = safeUrl(job.prLink)
    return url
      ? `:white_check_mark: The pull request is ready: ${link(url, pullRequestLabel(url))}`
      : ":white_check_mark: The docs agent finished and reported a pull request, but its link is not a web address. Look for it in your repository."
  },
  no_pull_request: () =>
    ":ballot_box_with_check: The docs agent finished and reported no pull request. It may have found nothing to change, or pushed straight to the main branch.",
  failed: () =>
    ":x: The docs agent could not finish. The service gives no reason; try again, or say it in smaller steps.",
  archived: (job) =>
    `:file_cabinet: The job was archived in the documentation service before the bot saw it finish.${pullRequestSoFar(job)}`,
  lost: (job) =>
    `:grey_question: Lost track: the job is still not finished after a long time. It may yet finish.${pullRequestSoFar(job)}`,
  gone: () =>
    ":grey_question: The documentation service no longer knows this job. It may have been deleted there.",
  unknown: () =>
    ":warning: It is not known whether the docs agent started: the service did not answer clearly. Look for a new pull request first; nothing is repeated by itself.",
  refused: (job) =>
    `:no_entry: The documentation service refused the request${job.detail ? `: ${foreignLine(job.detail, 300)}` : "."}`,
  cancelled: () => ":heavy_minus_sign: Cancelled before it started. No job was spent.",
  unfollowed: () =>
    ":heavy_minus_sign: No longer followed here. The docs agent may still finish: the service has no way to cancel a job.",
  no_card: () => ":no_entry: The bot may not post here. No job was spent.",
}
