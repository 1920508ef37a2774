import type { Job, Pull } from "../jobs/job.ts"
import { message, packed } from "./blocks.ts"
import { counted } from "./mrkdwn.ts"
import { pullWords } from "./pull-request.ts"

/** Maximum number of pull requests that one reminder names. */
const MAX_PULLS = 10

/** Lists stale pull requests in the given order; `words` stand in for a missing title. */
export function reminderMessage(stale: readonly { job: Job; words: string }[], gitHubHost: string) {
  const lines = stale
    .slice(0, MAX_PULLS)
    .map(({ job, words }) => `• ${pullWords(job, gitHubHost, words)}: ${needWords(job.pull)}`)
  const more = stale.length - lines.length
  const need = stale.length === 1 ? "needs" : "need"
  const head = `*${counted(stale.length, "pull request")} ${need} attention*`
  const rest = more > 0 ? [`…and ${more} more`] : []
  return message({ lines: packed([head, ...lines, ...rest]) })
}

function needWords(pull: Pull | undefined): string {
  if (pull?.state === "approved") return "approved, not merged yet"
  if (pull?.state === "changes_requested") return "changes requested"
  return "needs a review"
}
