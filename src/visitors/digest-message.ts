import { line, message, packed, plain, section } from "../messages/blocks.ts"
import {
  count,
  counted,
  date,
  foreignLine,
  listed,
  mention,
  upperFirst,
} from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { Digest, Rhythm } from "./digest-schedule.ts"
import { writtenWords } from "./feedback-message.ts"
import type { CommentGap } from "./gap.ts"
import type { FallbackLevel } from "./message-fallback.ts"
import { PROJECT_GONE, rangeLabel } from "./range-words.ts"
import type { Report } from "./report.ts"
import { changeOf } from "./report-change.ts"
import { reportMessage } from "./report-message.ts"

const WHEN: Readonly<Record<Rhythm["every"], string>> = {
  daily: "",
  weekly: "on Mondays ",
  monthly: "at the start of each month ",
}

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
  requested: number
}

function writtenLine({ groups, requested }: Written): string[] {
  const words = writtenWords(groups)
  if (words === "") return []
  const led = requested > 0 ? ` · ${count(requested)} led to a request` : ""
  return [`${upperFirst(words)}${led}: \`/docs-visitors gaps\``]
}

function lead(report: Report): string {
  const { figures, before, previous, selection } = report
  const { range } = selection
  const when = `${range.from === range.to ? "on" : "for"} ${rangeLabel(range)}`
  const change = before && ` (${changeOf(report, "total")} vs ${rangeLabel(previous, range)})`
  return `*Docs traffic ${when}*: ${counted(figures.total, "visitor")}${change ?? ""}.`
}

/** Returns a project's name; undefined if the bot serves only one. */
type LabelOf = (project: string) => string | undefined

function ofProjects(digests: readonly Digest[], labelOf: LabelOf): string {
  const labels = new Set(digests.flatMap(({ project }) => labelOf(project) ?? []))
  return labels.size > 0 ? ` of ${listed([...labels].map((one) => foreignLine(one, 40)))}` : ""
}

export function subscribed(digest: Digest, labelOf: LabelOf): Message {
  return line(
    `${mention(digest.user)} subscribed this channel to a ${digest.rhythm.every} docs traffic digest${ofProjects([digest], labelOf)} ${whenWords(digest)}. To stop: \`/docs-visitors unsubscribe\``,
  )
}

/** Texts for `cannotPostHere` when Slack did not confirm a subscription. */
export const NOT_SUBSCRIBED = {
  again: "subscribe again",
  unsure: "*Not subscribed*: Slack didn't confirm my post. Try again.",
}

export function subscribedBefore({ rhythm }: Digest, dueAt: number): Message {
  return line(`*This channel already gets a ${rhythm.every} digest.* Next one: ${date(dueAt)}.`)
}

export function unsubscribed(user: string, ended: readonly Digest[], labelOf: LabelOf): Message {
  const kinds = listed([...new Set(ended.map(({ rhythm }) => rhythm.every))])
  const digests = ended.length === 1 ? "digest" : "digests"
  const what = `${kinds} docs traffic ${digests}${ofProjects(ended, labelOf)}`
  return line(`${mention(user)} stopped the ${what} in this channel.`)
}

export const NO_DIGEST = line(
  "*This channel has no digest.* To start one: `/docs-visitors subscribe weekly`",
)

export function noSuchDigest(every: Rhythm["every"]): Message {
  return line(
    `*This channel has no ${every} digest.* To see all digests: \`/docs-visitors subscriptions\``,
  )
}

/** Lists digests, without a time if the bot no longer serves the project, which may come back. */
export function subscriptionList(
  digests: readonly { one: Digest; dueAt: number | undefined }[],
  nameOf: (project: string) => string,
): Message {
  const lines = digests.map(
    ({ one, dueAt }) =>
      `• *${upperFirst(one.rhythm.every)}* ${whenWords(one)} · ${foreignLine(nameOf(one.project), 40)} · subscribed by ${mention(one.user)} · ${dueAt === undefined ? PROJECT_GONE : `next one ${date(dueAt)}`}`,
  )
  return message({ lines: packed(["*Docs traffic digests in this channel*", ...lines]) })
}

export function digestEnded({ channel, rhythm }: Digest): Message {
  return line(
    `*The ${rhythm.every} digest in <#${channel}> has stopped*: I can't post there anymore. Subscribe again in a channel where I can post.`,
  )
}

/** Writes `on Mondays at 9:00 AM (Berlin time)`. */
function whenWords({ rhythm: { every, hour, minute }, zone }: Digest): string {
  const time = `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`
  const city = zone.split("/").at(-1)?.replaceAll("_", " ")
  return `${WHEN[every]}at ${time} (${zone === "UTC" ? zone : `${city} time`})`
}
