import type { Message } from "../../ports/message.ts"
import type { QuestionFault } from "../../visitors/question.ts"
import { line } from "../blocks.ts"
import { foreignLine } from "../mrkdwn.ts"

const LONGEST_WORDS = 100

const RANGE_EXAMPLES = [
  "`/docs-visitors 30d`",
  "`/docs-visitors last week`",
  "`/docs-visitors 2026-11-01..2026-11-07 /guides by ai`",
]
const SCHEDULE_EXAMPLES = [
  "`/docs-visitors subscribe weekly`",
  "`/docs-visitors subscribe daily at 08:30`",
  "`/docs-visitors unsubscribe weekly`",
]

export function helpMessage(): Message {
  return line(
    [
      "*See who reads the docs:* `/docs-visitors [range] [filter] [by people|ai|total]`",
      "*Range*: `7d` `30d` `90d` (full days, up to yesterday), `today`, `yesterday`, `this week`, `last week`, `this month`, `last month`, `2026-11-01`, `2026-11-01..2026-11-07`, `2026-11-01..`. Days are UTC and both ends count.",
      "*Filter*: the start of a path, `/guides`, or a pattern, `/guides/*/keys`.",
      "*What readers didn't find*: `gaps [range] [filter]`. Unanswered questions, searches that lead nowhere, pages with thumbs down.",
      "*Alerts in this channel*: `alert on|off|list [people|ai] [/path]`. A message when a day's visitors are far from usual for that weekday.",
      "*Digest in this channel*: `subscribe daily|weekly|monthly [HH:MM]`, `subscribe weekly gaps`, `unsubscribe`, `subscriptions`.",
    ].join("\n"),
  )
}

/** What was not understood, and three ways to ask that work. */
export function faultMessage({ kind, words }: QuestionFault): Message {
  return withExamples(explain(kind, foreignLine(words, LONGEST_WORDS)), RANGE_EXAMPLES)
}

export function scheduleFaultMessage(words: string): Message {
  const typed = foreignLine(words, LONGEST_WORDS)
  const what =
    typed === "" ? "*How often should the digest come?*" : `*I don't know when “${typed}” is.*`
  return withExamples(
    `${what} Use \`daily\`, \`weekly\` or \`monthly\`, and a time like \`09:00\`.`,
    SCHEDULE_EXAMPLES,
  )
}

export function gapsScheduleFaultMessage(): Message {
  return line("*Gaps come with a weekly digest only.* Try `/docs-visitors subscribe weekly gaps`.")
}

function explain(kind: QuestionFault["kind"], words: string): string {
  switch (kind) {
    case "unknown":
      return `*I didn't understand “${words}”.*`
    case "no_such_day":
      return `*${words} isn't a date.*`
    case "reversed":
      return `*${words} ends before it starts.* Put the earlier day first.`
    case "future":
      return `*${words} is in the future.* Days are UTC, and today is the last one.`
    case "too_long":
      return `*${words} is more than a year.* Ask for a year or less.`
    case "unknown_figure":
      return `*I didn't understand “${words}”.* Sort \`by people\`, \`by ai\` or \`by total\`.`
    case "long_filter":
      return "*The filter is too long.* Use a shorter one."
  }
}

function withExamples(sentence: string, examples: readonly string[]): Message {
  return line(`${sentence} Try one of these:\n${examples.map((words) => `• ${words}`).join("\n")}`)
}
