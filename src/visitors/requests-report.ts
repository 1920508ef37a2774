import { admitted } from "../asking/access-rules.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import { DAY_MS, type Day, dayOf, HOUR_MS } from "../lib/time.ts"
import { actions, button, context, header, line, section, textOf } from "../messages/blocks.ts"
import { count, counted, foreignLine, mention, upperFirst } from "../messages/mrkdwn.ts"
import { pullRequestLink } from "../messages/pull-request-words.ts"
import type { FallbackLevel } from "../slack/message-fallback.ts"
import type { ChartBlock, Message, MessageBlock } from "../slack/message-types.ts"
import type { Click, Command } from "../slack/payloads.ts"
import { currentTime } from "../store/script.ts"
import { chartName, chartOf } from "./chart.ts"
import { isFault, parseRange, type RangeFault } from "./parse-range.ts"
import { type Range, rangeShape, rangeTitle } from "./range.ts"
import type { VisitorsContext } from "./read-visitors.ts"
import type { Audience } from "./report-message.ts"
import { expired } from "./report-unavailable.ts"
import {
  hasAny,
  type Outcomes,
  type OutcomesFacts,
  readOutcomes,
} from "./requests-report-figures.ts"
import { shareOnce, showOwn } from "./show-report.ts"
import { loadShown } from "./stored-reports.ts"
import { faultWords } from "./visitors-help.ts"

const DEFAULT_RANGE = "30d"
const NEXT =
  "Try `/docs-agent report`, `/docs-agent report 90d`, `/docs-agent report last month`. To ask the agent for a change, use more words."
const REPORT_OFF = line("*No report*: the audit log is off. Set `AUDIT_DAYS` to turn it on.")

const SHARE_OUTCOMES = "share_outcomes"

const MAX_WAITING = 5

/**
 * Reads `report [range]`. Returns undefined for a request to the agent, such as "report a wrong price
 * on the plans page": several words that are no range.
 */
export function readReportCommand(typed: string, today: Day): Range | RangeFault | undefined {
  const [isReport, words = DEFAULT_RANGE] =
    /^\s*report(?:\s+(\S.*?))?[.!?]?\s*$/is.exec(typed) ?? []
  if (isReport === undefined) return undefined
  const range = parseRange(words, today)
  const isRequest = isFault(range) && range.kind === "unknown" && /\s/.test(words)
  return isRequest ? undefined : range
}

/** Answers `report [range]`; undefined for any other text, such as "report a wrong price". */
export async function answerReport(
  visitors: VisitorsContext,
  command: Command,
): Promise<Reply | undefined> {
  const range = readReportCommand(command.typed, dayOf(await currentTime(visitors.context.store)))
  if (range === undefined) return undefined
  const report = admitted(async ({ context }: VisitorsContext) => {
    if (isFault(range)) return { ack: line(`${faultWords(range)} ${NEXT}`) }
    if (context.settings.auditDays === 0) return { ack: REPORT_OFF }
    const work = async () => {
      const facts = await readOutcomes(context, range)
      await showOwn(context, command, range, (own, level) => outcomesMessage(facts, own, level))
    }
    return { work }
  })
  return report(visitors, command)
}

/** Posts a report that this person was shown in their channel, once. */
export const shareOutcomes = admitted(async ({ context }: VisitorsContext, click: Click) => {
  const { user, value: id } = click
  const range = await loadShown(context.store, rangeShape, { user }, id)
  if (!range) return { ack: expired("report", "/docs-agent report") }
  const facts = await readOutcomes(context, range)
  const shared = (level: FallbackLevel) =>
    outcomesMessage(facts, { kind: "shared", by: user }, level)
  return { ack: await shareOnce(context, click, id, shared) }
})

export function outcomesMessage(
  facts: OutcomesFacts,
  audience: Exclude<Audience, { kind: "digest" }>,
  level: FallbackLevel,
): Message {
  const title = `Docs requests, ${rangeTitle(facts.range)}`
  const lines = [...summary(facts), waitingWords(facts), projectsWords(facts)]
  const by = audience.kind === "shared" ? `Shared by ${mention(audience.by)}` : undefined
  const chart = level === "native" ? chartIn(facts) : []
  const small = [by, caveat(facts, chart.length > 0)].filter(Boolean).join(" · ")
  const share =
    audience.kind === "private" && !audience.isDirect
      ? [button({ action: SHARE_OUTCOMES, label: "Share in channel", value: audience.id })]
      : []
  const blocks: MessageBlock[] = [
    header(title),
    ...lines.flatMap((text) => (text ? section(text) : [])),
    ...chart,
    context(small),
    ...actions(share),
  ]
  return { text: textOf([title, ...lines, small], []), blocks }
}

/** Writes the two lines of the digest: how many were asked for, and what came of them. */
export function outcomeLines(outcomes: Outcomes, isFollowed: boolean): string[] {
  if (!hasAny(outcomes)) return []
  const asked = `*${counted(outcomes.asked, "request")}* to the docs agent, ${openedWords(outcomes)}`
  return isFollowed ? [asked, endsOf(outcomes)] : [asked]
}

function summary({ all, isFollowed }: OutcomesFacts): string[] {
  if (!hasAny(all)) return ["*No requests in this period.*"]
  const asked = `*${counted(all.asked, "request")}*, ${openedWords(all)}`
  if (!isFollowed) return [asked]
  const median =
    all.toMergeMs === undefined ? "" : `\nMedian time to the merge: ${spanWords(all.toMergeMs)}`
  return [`${asked}\n${endsOf(all)}${median}`]
}

function openedWords({ opened }: Outcomes): string {
  return `${counted(opened, "pull request")} opened`
}

function endsOf({ merged, closed, waiting }: Outcomes): string {
  return `${count(merged)} merged · ${count(closed)} closed · ${count(waiting.length)} waiting`
}

function waitingWords({ all, now, isFollowed, gitHubHost }: OutcomesFacts): string | undefined {
  if (!isFollowed || all.waiting.length === 0) return undefined
  const listed = all.waiting.slice(0, MAX_WAITING).flatMap(({ prLink, openedAt }) => {
    const link = pullRequestLink({ prLink }, gitHubHost)
    return link ? `• ${link} · open for ${spanWords(now - openedAt)}` : []
  })
  const more = all.waiting.length - listed.length
  return ["*Waiting, oldest first*", ...listed, ...(more > 0 ? [`${count(more)} more`] : [])].join(
    "\n",
  )
}

function projectsWords({ projects, isFollowed }: OutcomesFacts): string | undefined {
  if (projects.length < 2) return undefined
  const lines = projects.map(({ name, outcomes }) => {
    const ends = isFollowed ? ` · ${endsOf(outcomes)}` : ""
    return `• ${foreignLine(name, 40)}: ${counted(outcomes.asked, "request")}, ${counted(outcomes.opened, "pull request")}${ends}`
  })
  return ["*By project*", ...lines].join("\n")
}

function caveat({ isFollowed, knownFrom, spans, range }: OutcomesFacts, hasChart: boolean) {
  const token = "Set `GITHUB_TOKEN` to see which pull requests were merged."
  const known = knownFrom && `Requests are known from ${knownFrom} on.`
  const name = chartName(spans, range)
  const drawn = hasChart && name !== "chart" && `${upperFirst(name)}.`
  return ["Days are UTC.", drawn, known, isFollowed ? undefined : token].filter(Boolean).join(" ")
}

/** Draws the pull requests of each span; under two spans or five pull requests it says nothing. */
function chartIn({ spans, all, isFollowed }: OutcomesFacts): ChartBlock[] {
  if (spans.length < 2 || all.opened < 5) return []
  const opened = { Opened: (span: Span) => span.opened }
  const values = isFollowed ? { ...opened, Merged: (span: Span) => span.merged } : opened
  return [chartOf("Pull requests by time of opening", "Pull requests", spans, values)]
}

type Span = OutcomesFacts["spans"][number]

/** Writes a length of time as people say it: minutes, hours below two days, else days. */
function spanWords(ms: number): string {
  if (ms < HOUR_MS) return counted(Math.max(1, Math.round(ms / 60_000)), "minute")
  if (ms < 2 * DAY_MS) return counted(Math.round(ms / HOUR_MS), "hour")
  return counted(Math.round(ms / DAY_MS), "day")
}
