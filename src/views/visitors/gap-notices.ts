import type { Message } from "../../ports/message.ts"
import type { DigestGaps } from "../../visitors/gaps/in-digest.ts"
import type { GapAnswer } from "../../visitors/gaps/query.ts"
import type { Range } from "../../visitors/range.ts"
import { line } from "../blocks.ts"
import { clockTime, foreignLine } from "../mrkdwn.ts"
import { count, plural, rangeTitle } from "./format.ts"
import { gapsInDigest } from "./gaps.ts"
import { reason } from "./missing.ts"

/** When an answer takes longer than people wait without a word. */
export function readingGapsMessage(range: Range): Message {
  return line(`Still looking for gaps in ${rangeTitle(range)}…`)
}

/** Nothing was read, or nothing was begun. */
export function noGapsMessage(
  range: Range,
  answer: Exclude<GapAnswer, { kind: "answer" }>,
): Message {
  if (answer.kind === "unavailable")
    return line(`*Can't look for gaps in ${rangeTitle(range)} right now:* ${reason(answer.why)}.`)
  const { needed, free, why } = answer
  const when = why.retryAt === undefined ? "later" : `around ${clockTime(why.retryAt)}`
  return line(
    `*Not enough requests left this hour.* Looking for gaps takes up to ${count(needed)}, and ${plural(free, "is", "are")} left. Try again ${when}.`,
  )
}

/** The digest with its gaps below, or with a line on why there are none. */
export function withGaps(digest: Message, gaps: DigestGaps | undefined): Message {
  if (!gaps) return digest
  const below =
    "why" in gaps
      ? line(`*Couldn't look for gaps this time:* ${reason(gaps.why)}.`)
      : gapsInDigest(gaps.report, gaps.id)
  return {
    text: `${digest.text} ${below.text}`,
    blocks: [...digest.blocks, ...below.blocks],
  }
}

export function gapsExpiredMessage(): Message {
  return line("*This list has expired.* Get a new one with `/docs-visitors gaps`.")
}

export function gapsCsvMessage(range: Range): Message {
  return line(`Your CSV of what readers didn't find, ${rangeTitle(range)}.`)
}

export function gapsCsvSentMessage(): Message {
  return line("I've sent you the CSV as a DM.")
}

/** @param code Slack's error code */
export function gapsCsvUnsentMessage(code: string): Message {
  return line(
    `*I couldn't send the CSV.* Slack says \`${foreignLine(code, 60)}\`. Try again in a minute.`,
  )
}
