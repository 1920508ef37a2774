import { DateTime } from "luxon"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { dayOf } from "../lib/time.ts"
import { plain, section } from "../messages/blocks.ts"
import { count, counted } from "../messages/mrkdwn.ts"
import type { FallbackLevel, Forms } from "../slack/message-fallback.ts"
import type { Message } from "../slack/message-types.ts"
import { writtenWords } from "./feedback-feed.ts"
import { daysBefore, monthsBefore, type Range, rangeLabel, wholeUnit } from "./range.ts"
import { commentGaps, readComments } from "./read-comments.ts"
import { type Report, readReport } from "./read-report.ts"
import type { VisitorsContext } from "./read-visitors.ts"
import { changeOf, reportMessage } from "./report-message.ts"
import { findRequested } from "./requested-gaps.ts"
import { outcomeLines } from "./requests-report.ts"
import { readProjectOutcomes } from "./requests-report-figures.ts"
import { type Digest, nextDigest, type Rhythm } from "./scheduled-posts.ts"

/** Returns the latest whole UTC days that a digest is about. @param due in ms */
export function digestRange(kind: Rhythm["every"], zone: string, due: number): Range {
  if (kind === "monthly") return wholeUnit("month", monthsBefore(dayOf(due), 1))
  return daysBefore(dayOf(dueInSummer(zone, due)), kind === "weekly" ? 7 : 1)
}

/**
 * Returns when a digest would be due in ms if the zone had its summer time all year. If the local time
 * were on another UTC day in winter than in summer, a change of clocks would leave out a day or
 * repeat one.
 */
function dueInSummer(zone: string, due: number): number {
  const at = DateTime.fromMillis(due, { zone })
  const summer = Math.max(...[1, 7].map((month) => at.set({ month }).offset))
  return at.minus({ minutes: summer - at.offset }).toMillis()
}

/**
 * Returns the latest moment at which a digest was due, so that a late one neither repeats the days
 * of the one before nor takes those of the next. @param due its first such moment, in ms
 */
export function lastDue(of: Rhythm, zone: string, due: number, now: number): number {
  const next = nextDigest(of, zone, due)
  return next > now ? due : lastDue(of, zone, next, now)
}

/** Makes a digest. @param due when it was first due, in ms @throws DocsError */
export async function makeDigest(
  visitors: VisitorsContext,
  digest: Digest,
  { due, now }: { due: number; now: number },
): Promise<Forms> {
  const { project, every, zone } = digest
  const range = digestRange(every, zone, lastDue(digest, zone, due, now))
  const report = await readReport(visitors, { project, range, page: 1 }, undefined)
  if (every !== "weekly") return (level) => digestMessage(report, level)
  const written = await writtenLine(visitors, project, range)
  const { context } = visitors
  const outcomes = await readProjectOutcomes(context, project, range)
  const lines = outcomeLines(outcomes, context.settings.github !== undefined)
  return (level) => digestMessage(report, level, written, lines)
}

/** Writes how many comments a week had, and how many led to a request; "" if there is nothing to say. */
async function writtenLine(
  { context, readings }: VisitorsContext,
  project: string,
  range: Range,
): Promise<string> {
  const week = { reader: undefined, project, range }
  const reading = await readComments(readings, "all", week).catch(orDocsError)
  // A digest is worth posting without this line.
  if (reading instanceof DocsError) return ""
  const groups = commentGaps(reading.comments)
  const words = writtenWords(groups)
  if (words === "") return ""
  const keys = groups.flatMap((group) => group.keys)
  const { size } = await findRequested(context.store, project, keys)
  const led = size > 0 ? ` · ${count(size)} led to a request` : ""
  return `${reading.isWhole ? "" : "At least "}${words}${led}: \`/docs-visitors gaps\``
}

/**
 * Renders a digest, with lines about what readers wrote and about what came of the requests to the
 * agent. Mentions nobody: a mention would notify the subscriber every time.
 */
export function digestMessage(
  report: Report,
  level: FallbackLevel,
  written = "",
  outcomes: readonly string[] = [],
): Message {
  const words = written === "" ? lead(report) : `${lead(report)}\n${written}`
  const { text, blocks } = reportMessage(report, { kind: "digest", lead: words }, level)
  if (outcomes.length === 0) return { text, blocks }
  const lines = outcomes.join("\n")
  return { text: `${text}\n${plain(lines)}`, blocks: [...blocks, section(lines)] }
}

function lead(report: Report): string {
  const { figures, before, previous, selection } = report
  const { range } = selection
  const when = `${range.from === range.to ? "on" : "for"} ${rangeLabel(range)}`
  const change = before && ` (${changeOf(report, "total")} vs ${rangeLabel(previous, range)})`
  return `*Docs traffic ${when}*: ${counted(figures.total, "visitor")}${change ?? ""}.`
}
