import { plain, section } from "../messages/blocks.ts"
import { count, counted } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import { writtenWords } from "./feedback-message.ts"
import type { CommentGap } from "./gap.ts"
import type { FallbackLevel } from "./message-fallback.ts"
import { rangeLabel } from "./range-words.ts"
import type { Report } from "./report.ts"
import { changeOf } from "./report-change.ts"
import { reportMessage } from "./report-message.ts"

/**
 * Renders a digest, with what came of the requests to the agent and what readers wrote. Mentions
 * nobody: a mention would notify the subscriber every time.
 */
export function digestMessage(
  report: Report,
  level: FallbackLevel,
  outcomes: readonly string[] = [],
  written?: Written,
): Message {
  const words = [lead(report), ...(written ? writtenLine(written) : [])].join("\n")
  const { text, blocks } = reportMessage(report, { kind: "digest", lead: words }, level)
  if (outcomes.length === 0) return { text, blocks }
  const lines = outcomes.join("\n")
  return { text: `${text}\n${plain(lines)}`, blocks: [...blocks, section(lines)] }
}

/** Comments of a digest's week, and how many of them led to a request. */
interface Written {
  groups: readonly CommentGap[]
  isWhole: boolean
  requested: number
}

function writtenLine({ groups, isWhole, requested }: Written): string[] {
  const words = writtenWords(groups)
  if (words === "") return []
  const led = requested > 0 ? ` · ${count(requested)} led to a request` : ""
  return [`${isWhole ? "" : "At least "}${words}${led}: \`/docs-visitors gaps\``]
}

function lead(report: Report): string {
  const { figures, before, previous, selection } = report
  const { range } = selection
  const when = `${range.from === range.to ? "on" : "for"} ${rangeLabel(range)}`
  const change = before && ` (${changeOf(report, "total")} vs ${rangeLabel(previous, range)})`
  return `*Docs traffic ${when}*: ${counted(figures.total, "visitor")}${change ?? ""}.`
}
