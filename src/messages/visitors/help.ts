import type { Message } from "../../ports/message.ts"
import { type CommandFault, MAX_FILTER } from "../../visitors/command.ts"
import { line } from "../blocks.ts"
import { foreignLine } from "../mrkdwn.ts"

const LONGEST_WORDS = 100

const RANGE_EXAMPLES = ["30d", "last month", "2026-11-01..2026-11-07 /guides"]
const SCHEDULE_EXAMPLES = ["subscribe weekly", "subscribe daily at 08:30", "unsubscribe weekly"]
const ALERT_EXAMPLES = ["alert on", "alert on people /guides", "alert off", "alert list"]

export function helpMessage(): Message {
  return line(
    [
      "*See docs traffic, people and AI:* `/docs-visitors [range] [/path]`",
      "*Range*: `7d`, `last 30 days`, `2 weeks`, `today`, `yesterday`, `this month`, `last month`, `november`, `2026-11-01..2026-11-07`. Dates are in UTC and inclusive.",
      "*What readers didn't find*: `gaps [range]`. Unanswered questions, searches without a result, pages with thumbs down.",
      "*Digest in this channel*: `subscribe daily|weekly|monthly [at HH:MM]`, `unsubscribe`, `subscriptions`.",
      "*Alerts in this channel*: `alert on|off|list [people|ai] [/path]`. Get a message when daily traffic is unusually high or low.",
    ].join("\n"),
  )
}

/** Says what was not understood, and ways to ask that work. */
export function faultMessage({ kind, words, meant }: CommandFault): Message {
  const typed = foreignLine(words, LONGEST_WORDS)
  if (meant !== undefined) {
    const ours = foreignLine(meant, LONGEST_WORDS).replaceAll("`", "'")
    return line(`*Did you mean “${ours}”?* Try \`/docs-visitors ${ours}\`.`)
  }
  const { says, examples } = explain(kind, typed)
  const list = examples.map((example) => `• \`/docs-visitors ${example}\``).join("\n")
  return line(`${says} Try one of these:\n${list}`)
}

function explain(kind: CommandFault["kind"], words: string) {
  switch (kind) {
    case "unknown":
      return { says: `*I didn't understand “${words}”.*`, examples: RANGE_EXAMPLES }
    case "no_such_day":
      return { says: `*${words} isn't a date.*`, examples: RANGE_EXAMPLES }
    case "reversed":
      return {
        says: `*${words} ends before it starts.* Put the earlier day first.`,
        examples: RANGE_EXAMPLES,
      }
    case "future":
      return { says: `*${words} is in the future.* Dates are in UTC.`, examples: RANGE_EXAMPLES }
    case "too_long":
      return {
        says: `*${words} is more than a year.* Ask for a year or less.`,
        examples: RANGE_EXAMPLES,
      }
    case "long_filter":
      return {
        says: `*That filter is too long* (max. ${MAX_FILTER} characters).`,
        examples: RANGE_EXAMPLES,
      }
    case "schedule": {
      const what =
        words === "" ? "*How often should I post the digest?*" : `*I didn't understand “${words}”.*`
      const how = "Use `daily`, `weekly` or `monthly`, and a time like `09:00`."
      return { says: `${what} ${how}`, examples: SCHEDULE_EXAMPLES }
    }
    case "alert": {
      const what =
        words === "" ? "*What should I do with alerts?*" : `*I didn't understand “${words}”.*`
      return { says: what, examples: ALERT_EXAMPLES }
    }
  }
}
