import type { Job } from "../jobs/job.ts"
import { message, packed } from "./blocks.ts"
import { counted, link } from "./mrkdwn.ts"
import { lastActivity, pullWords } from "./pull-request-words.ts"
import { awaitsChanges } from "./status-and-home.ts"

/** Maximum number of pull requests that one reminder names. */
const MAX_PULLS = 10

/** Pull request to remind of; `words` stand in for a missing title. */
interface Stale {
  job: Job
  words: string
  /** Address of the card, in whose thread a follow-up changes the pull request. */
  card?: string | undefined
}

/** Lists stale pull requests in the given order. */
export function reminderMessage(stale: readonly Stale[], gitHubHost: string) {
  const lines = stale.slice(0, MAX_PULLS).map(({ job, words, card }) => {
    const parts = [needWords(job), lastActivity(job.pull), card && link(card, "View thread")]
    return `• ${pullWords(job, gitHubHost, words)}: ${parts.filter(Boolean).join(" · ")}`
  })
  const more = stale.length - lines.length
  const need = stale.length === 1 ? "needs" : "need"
  const head = `*${counted(stale.length, "pull request")} ${need} attention*`
  const rest = more > 0 ? [`…and ${more} more`] : []
  return message({ lines: packed([head, ...lines, ...rest]) })
}

function needWords(job: Job): string {
  if (job.pull?.state === "approved") return "approved, not merged yet"
  return awaitsChanges(job) ? "changes requested" : "needs a review"
}
