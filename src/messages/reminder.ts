import { type Job, touchedAt } from "../jobs/job.ts"
import { message, packed } from "./blocks.ts"
import { counted } from "./mrkdwn.ts"
import { needWords, pullWords } from "./pull-request.ts"

/** Lists stale pull requests, oldest first; `words` stand in for a missing title. */
export function reminderMessage(stale: readonly { job: Job; words: string }[], gitHubHost: string) {
  const quietSince = ({ job: { pull } }: (typeof stale)[number]) => (pull ? touchedAt(pull) : 0)
  const oldest = stale.toSorted((a, b) => quietSince(a) - quietSince(b))
  const lines = oldest
    .slice(0, 10)
    .map(({ job, words }) => `• ${pullWords(job, gitHubHost, words)}: ${needWords(job.pull)}`)
  const more = oldest.length - lines.length
  const need = oldest.length === 1 ? "needs" : "need"
  const head = `*${counted(oldest.length, "pull request")} ${need} attention*`
  const rest = more > 0 ? [`…and ${more} more in \`/docs-agent status\``] : []
  return message({ lines: packed([head, ...lines, ...rest]) })
}
