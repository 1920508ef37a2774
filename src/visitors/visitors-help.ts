import { button, line } from "../messages/blocks.ts"
import { foreignLine } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import { type CommandFault, MAX_FILTER } from "./parse-command.ts"

export const VISITORS_HELP = line(
  [
    "*See docs traffic from people and AI*: `/docs-visitors [range] [/path]`",
    "*Range*: `7d`, `last 30 days`, `2 weeks`, `today`, `yesterday`, `this month`, `last month`, `november`, `2026-11-01..2026-11-07`. Dates are in UTC and inclusive.",
    "*What readers didn't find*: `/docs-visitors gaps [range]`. Unanswered questions, searches with few clicks, comments from readers and AI agents.",
    "*New comments in this channel*: `/docs-visitors feedback on|off|list`. For admins.",
    "*Digest in this channel*: `/docs-visitors subscribe daily|weekly|monthly [at HH:MM]`, `unsubscribe`, `subscriptions`.",
    "*Alerts in this channel*: `/docs-visitors alert on|off|list [people|ai] [/path]`. Get a message when daily traffic is unusually high or low.",
  ].join("\n"),
)

/** Action of the button that runs what was probably meant; its value is an opaque id. */
const RUN_MEANT = "visitors_meant"

/** @param project name that was typed, which a suggestion keeps; `id` of the suggestion */
export function meantMessage(
  words: string,
  { id, project }: { id: string; project?: string | undefined },
) {
  const start = project === undefined ? "" : `project=${project} `
  const command = `/docs-visitors ${start}${typedWords(words)}`
  const run = button({ action: RUN_MEANT, label: "Yes, run it", value: id })
  return line(`Did you mean \`${command}\`?`, [run])
}

function typedWords(words: string): string {
  return foreignLine(words, 100).replaceAll("`", "'")
}

export function faultMessage(fault: CommandFault): Message {
  const { words, of } = fault
  const says = words === "" ? "*What should I do?*" : faultWords(fault)
  const examples = EXAMPLES[of ?? "report"]
    .map((example) => `• \`/docs-visitors ${example}\``)
    .join("\n")
  return line(`${says} Try one of these:\n${examples}`)
}

/** Says why words are no command or range, and quotes them, so that nothing is lost. */
export function faultWords({ kind, words }: Pick<CommandFault, "kind" | "words">): string {
  return SAYS[kind].replace("{words}", () => typedWords(words))
}

const SAYS: Readonly<Record<CommandFault["kind"], string>> = {
  unknown: "*I didn't understand `{words}`.*",
  no_such_day: "*{words} isn't a date.*",
  reversed: "*{words} ends before it starts.* Put the earlier date first.",
  future: "*{words} is in the future.* Dates are in UTC.",
  too_long: "*{words} is more than a year.* Ask for a year or less.",
  long_filter: `*That path is too long* (${MAX_FILTER} characters at most).`,
}
const EXAMPLES: Readonly<Record<NonNullable<CommandFault["of"]> | "report", readonly string[]>> = {
  report: ["30d", "last month", "2026-11-01..2026-11-07 /guides"],
  gaps: ["gaps 30d", "gaps last month", "gaps 2026-11-01..2026-11-07"],
  subscribe: ["subscribe weekly", "subscribe daily at 08:30", "unsubscribe weekly"],
  feedback: ["feedback on", "feedback off", "feedback list"],
  alert: ["alert on", "alert on people /guides", "alert off", "alert list"],
}
