import { button, context, line, message, packed, plain, section } from "../messages/blocks.ts"
import { count, counted, foreignLine, mention, upperFirst } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { UnusualDay, Watch } from "./alerts.ts"
import { PROJECT_GONE, percentWords, rangeLabel, weekdayOf } from "./range-words.ts"

/** Action of the button beside an alert; its value is the opaque id of the report. */
export const ALERT_REPORT = "alert_report"

const MAX_PATH = 80

/** Unusual day, with its project's name and its report's opaque id. */
type AlertLine = UnusualDay & { project: string; report: string }

export function alertMessage(lines: readonly [AlertLine, ...AlertLine[]]): Message {
  const open = { action: ALERT_REPORT, label: "Open the report" }
  const blocks = lines.map((one) => section(textOf(one), button({ ...open, value: one.report })))
  const about = `Compared with the previous 8 ${weekdayOf(lines[0].day)}s (UTC) · manage: \`/docs-visitors alert list\``
  const text = lines.map((one) => plain(textOf(one))).join(" ")
  return { text, blocks: [...blocks, context(about)] }
}

/** Writes "Docs traffic dropped on Fri, Nov 13: 20 people, down 78% from the usual 90 · docs". */
function textOf({ watch, project, day, visitors, usual }: AlertLine): string {
  const [verb, way] = visitors < usual ? ["dropped", "down"] : ["rose", "up"]
  const when = `${weekdayOf(day).slice(0, 3)}, ${rangeLabel({ from: day, to: day })}`
  const change = `${way} ${percentWords(visitors, usual)} from the usual ${count(Math.round(usual))}`
  const visits = `${counted(visitors, ...namesOf(watch))}${onPages(watch)}`
  return `*Docs traffic ${verb} on ${when}*: ${visits}, ${change} · ${foreignLine(project, 40)}`
}

/** Names what an alert counts, one and many. With a path, a reader of two pages counts twice. */
function namesOf({ of, filter }: Watch): [string, string] {
  if (filter === undefined)
    return of === "ai" ? ["AI visitor", "AI visitors"] : ["person", "people"]
  if (of === "ai") return ["AI page visit", "AI page visits"]
  return ["page visit by people", "page visits by people"]
}

function onPages({ filter }: Watch): string {
  return filter === undefined ? "" : ` under ${foreignLine(filter, MAX_PATH)}`
}

export function alertsOn(user: string, watches: readonly Watch[]): Message {
  return line(
    `${mention(user)} turned on docs traffic alerts in this channel: ${watched(watches)}. I'll post when daily traffic is unusually high or low. To stop: \`/docs-visitors alert off\``,
  )
}

export function alertsOff(user: string, watches: readonly Watch[]): Message {
  return line(
    `${mention(user)} turned off docs traffic alerts in this channel: ${watched(watches)}.`,
  )
}

export const ALERTS_ON_ALREADY = line(
  "*These alerts are already on* in this channel. To see all alerts: `/docs-visitors alert list`",
)

export function tooManyAlerts(most: number): Message {
  return line(
    `*A channel can have at most ${most} alerts.* Turn one off first: \`/docs-visitors alert list\` shows them.`,
  )
}

/** Texts for `cannotPostHere` when Slack did not confirm an alert. */
export const NOT_TURNED_ON = {
  again: "turn alerts on again",
  unsure: "*Alerts not turned on*: Slack didn't confirm my post. Try again.",
}

export const NO_ALERTS = line(
  "*This channel has no alerts.* To turn them on: `/docs-visitors alert on`",
)

export const NO_SUCH_ALERT = line(
  "*That alert isn't on in this channel.* To see all alerts: `/docs-visitors alert list`",
)

export function alertsEnded(channel: string): Message {
  return line(
    `*The docs traffic alerts in <#${channel}> have stopped*: I can't post there anymore. Turn them on again in a channel where I can post.`,
  )
}

/** Lists alerts; of a project that the bot no longer serves, which may come back, it says so. */
export function alertList(
  watches: readonly (Watch & { isServed: boolean })[],
  nameOf: (project: string) => string,
): Message {
  const lines = watches.map((watch) => {
    const paused = watch.isServed ? "" : ` · ${PROJECT_GONE}`
    return `• *${upperFirst(namesOf(watch)[1])}*${onPages(watch) || " on the whole site"} · ${foreignLine(nameOf(watch.project), 40)} · turned on by ${mention(watch.user)}${paused}`
  })
  return message({ lines: packed(["*Docs traffic alerts in this channel*", ...lines]) })
}

function watched(watches: readonly Watch[]): string {
  return watches.map((watch) => `*${namesOf(watch)[1]}*${onPages(watch)}`).join(" and ")
}
