import type { Job } from "../jobs/job.ts"
import type { Message } from "./blocks.ts"
import { message, packed } from "./blocks.ts"
import { pullWords } from "./pull-request.ts"

/** Lists stale pull requests, the oldest first. @param stale at least one; `words` replaces an unknown title */
export function reminderMessage(
  stale: readonly { job: Job; words: string }[],
  gitHubHost: string,
): Message {
  const oldest = stale.toSorted((a, b) => touchedAt(a.job) - touchedAt(b.job))
  const lines = oldest
    .slice(0, 10)
    .map(({ job, words }) => `• ${pullWords(job, gitHubHost, words)}: ${needs(job)}`)
  const more = oldest.length - lines.length
  const head =
    oldest.length === 1
      ? "*1 pull request needs attention*"
      : `*${oldest.length} pull requests need attention*`
  const rest = more > 0 ? [`…and ${more} more in \`/docs-agent status\``] : []
  return message({ lines: packed([head, ...lines, ...rest]) })
}

function touchedAt({ pull, at }: Job): number {
  return pull?.touchedAt ?? pull?.since ?? at
}

function needs({ pull }: Job): string {
  if (pull?.state === "approved") return "approved, not merged yet"
  if (pull?.state === "changes_requested") return "changes requested"
  return pull?.state === "draft" ? "still a draft" : "needs a review"
}
