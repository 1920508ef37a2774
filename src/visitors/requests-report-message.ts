import { DAY_MS, HOUR_MS } from "../lib/time.ts"
import { actions, button, context, header, section, textOf } from "../messages/blocks.ts"
import { count, counted, foreignLine, mention, upperFirst } from "../messages/mrkdwn.ts"
import { pullRequestLink } from "../messages/pull-request-words.ts"
import type { FallbackLevel } from "../slack/message-fallback.ts"
import type { ChartBlock, Message, MessageBlock } from "../slack/message-types.ts"
import { chartName, chartOver } from "./chart.ts"
import { rangeTitle } from "./range.ts"
import type { Audience } from "./report-message.ts"
import { hasAny, type Outcomes, type OutcomesFacts } from "./requests-report-figures.ts"

export const SHARE_OUTCOMES = "share_outcomes"

const MAX_WAITING = 5

/** Renders the report of what came of the requests, for whoever asked or for a channel. */
export function outcomesMessage(
  facts: OutcomesFacts,
  audience: Exclude<Audience, { kind: "digest" }>,
  level: FallbackLevel,
): Message {
  const title = `Docs requests, ${rangeTitle(facts.range)}`
  const lines = [...summary(facts), waitingWords(facts), projectsWords(facts)]
  const by = audience.kind === "shared" ? `Shared by ${mention(audience.by)}` : undefined
  const chart = level === "native" ? chartOf(facts) : []
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
  return [
    `*${counted(outcomes.asked, "request")}* to the docs agent, ${counted(outcomes.opened, "pull request")} opened`,
    ...(isFollowed ? [endsOf(outcomes)] : []),
  ]
}

function summary({ all, isFollowed }: OutcomesFacts): string[] {
  if (!hasAny(all)) return ["*No requests in this period.*"]
  const asked = `*${counted(all.asked, "request")}*, ${counted(all.opened, "pull request")} opened`
  if (!isFollowed) return [asked]
  const median =
    all.toMergeMs === undefined ? "" : `\nMedian time to the merge: ${spanWords(all.toMergeMs)}`
  return [`${asked}\n${endsOf(all)}${median}`]
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
function chartOf({ spans, all, isFollowed }: OutcomesFacts): ChartBlock[] {
  if (spans.length < 2 || all.opened < 5) return []
  const ranges = spans.map(({ range }) => range)
  const opened = { Opened: spans.map((span) => span.opened) }
  const merged = spans.map((span) => span.merged)
  const title = "Pull requests by time of opening"
  const lines = isFollowed ? { ...opened, Merged: merged } : opened
  return [chartOver(title, "Pull requests", ranges, lines)]
}

/** Writes a length of time as people say it: minutes, hours below two days, else days. */
function spanWords(ms: number): string {
  if (ms < HOUR_MS) return counted(Math.max(1, Math.round(ms / 60_000)), "minute")
  if (ms < 2 * DAY_MS) return counted(Math.round(ms / HOUR_MS), "hour")
  return counted(Math.round(ms / DAY_MS), "day")
}
