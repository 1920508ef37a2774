import type { Job } from "../jobs/job.ts"
import type { Message } from "./blocks.ts"
import { list } from "./blocks.ts"
import { pullWords } from "./pull-request.ts"

/** The most pull requests in one morning's list. */
const SHOWN = 10

/** A job whose pull request nobody has touched for a while. */
interface StalePull {
  job: Job
  /** The request's text, which replaces an unknown title. */
  words: string
}

/** Reminds a person of all their stale pull requests at once, the oldest first. @param stale at least one */
export function reminderMessage(stale: readonly StalePull[], gitHubHost: string): Message {
  const oldest = stale.toSorted((a, b) => touchedAt(a) - touchedAt(b))
  const lines = oldest
    .slice(0, SHOWN)
    .map(({ job, words }) => `• ${pullWords(job, gitHubHost, words)}: ${needs(job)}`)
  const more = oldest.length - lines.length
  const head =
    oldest.length === 1
      ? "*1 pull request needs attention*"
      : `*${oldest.length} pull requests need attention*`
  const rest = more > 0 ? [`…and ${more} more in \`/docs-agent status\``] : []
  return list([head, ...lines, ...rest])
}

function touchedAt({ job }: StalePull): number {
  return job.pull?.touchedAt ?? job.pull?.since ?? job.at
}

function needs({ pull }: Job): string {
  if (pull?.state === "approved") return "approved, not merged yet"
  if (pull?.state === "changes_requested") return "changes requested"
  return pull?.state === "draft" ? "still a draft" : "needs a review"
}
