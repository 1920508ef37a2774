import { DateTime, IANAZone } from "luxon"
import { z } from "zod"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { plain, section } from "../messages/blocks.ts"
import { count, counted } from "../messages/mrkdwn.ts"
import type { FallbackLevel, Forms } from "../slack/message-fallback.ts"
import type { Message } from "../slack/message-types.ts"
import { changeOf } from "./change-words.ts"
import { writtenWords } from "./feedback-feed.ts"
import { dayOf, daysBefore, monthsBefore, type Range, rangeLabel, wholeUnit } from "./range.ts"
import { commentGaps, readComments } from "./read-comments.ts"
import { type Report, type ReportSource, readReport } from "./read-report.ts"
import { reportMessage } from "./report-message.ts"
import type { RequestedGaps } from "./requested-gaps.ts"

export const rhythms = ["daily", "weekly", "monthly"] as const

/** Schedule on the subscriber's clock: weekly means Mondays, monthly the first or the second. */
const rhythm = z.object({
  every: z.enum(rhythms),
  hour: z.number().int().min(0).max(23),
  minute: z.number().int().min(0).max(59),
})
export type Rhythm = z.infer<typeof rhythm>

export const digest = rhythm.extend({
  kind: z.literal("digest"),
  project: z.string(),
  user: z.string(),
  zone: z.string().refine((zone) => IANAZone.isValidZone(zone)),
})
export type Digest = z.infer<typeof digest>

/** Returns the latest whole UTC days that a digest is about. @param due in ms */
export function digestRange(kind: Rhythm["every"], due: number): Range {
  const day = dayOf(due)
  if (kind === "monthly") return wholeUnit("month", monthsBefore(day, 1))
  return daysBefore(day, kind === "weekly" ? 7 : 1)
}

/**
 * Returns the first moment after `after` at which a digest is due, in ms. A local time that
 * daylight saving skips moves forward by the gap; if a local time occurs twice, the first one
 * counts. A monthly digest is due on the second if the month is not over in UTC at that time on the
 * first.
 */
export function nextDigest(of: Rhythm, zone: string, after: number): number {
  const { hour, minute } = of
  const start = DateTime.fromMillis(after, { zone }).startOf("day")
  // No two digests are more than 34 days apart.
  for (let days = 0; days <= 34; days++) {
    const at = start.plus({ days }).set({ hour, minute })
    if (at.toMillis() > after && isDueOn(at, of.every)) return at.toMillis()
  }
  throw new RangeError(`No ${of.every} digest was found after ${after} in ${zone}`)
}

/**
 * Returns the latest moment at which a digest was due, so that a late one neither repeats the days
 * of the one before nor takes those of the next. @param due its first such moment, in ms
 */
export function lastDue(of: Rhythm, zone: string, due: number, now: number): number {
  const next = nextDigest(of, zone, due)
  return next > now ? due : lastDue(of, zone, next, now)
}

function isDueOn(at: DateTime, kind: Rhythm["every"]): boolean {
  if (kind === "daily") return true
  if (kind === "weekly") return at.weekday === 1
  const isFirstOver = at.set({ day: 1 }).toUTC().month === at.month
  return at.day === (isFirstOver ? 1 : 2)
}

interface DigestSource extends ReportSource {
  requested: RequestedGaps
}

/** Says in two lines what came of a project's requests in a period. */
export type OutcomeLines = (project: string, range: Range) => Promise<string[]>

/** Makes a digest. @param due when it was first due, in ms @throws DocsError */
export async function makeDigest(
  source: DigestSource,
  outcomeLines: OutcomeLines,
  digest: Digest,
  { due, now }: { due: number; now: number },
): Promise<Forms> {
  const { project, every, zone } = digest
  const range = digestRange(every, lastDue(digest, zone, due, now))
  const report = await readReport(source, { project, range, page: 1 }, undefined)
  if (every !== "weekly") return (level) => digestMessage(report, level)
  const written = await writtenLine(source, project, range)
  const outcomes = await outcomeLines(project, range)
  return (level) => digestMessage(report, level, written, outcomes)
}

/** Writes how many comments a week had, and how many led to a request; "" if there is nothing to say. */
async function writtenLine(source: DigestSource, project: string, range: Range): Promise<string> {
  const week = { reader: undefined, project, range }
  const reading = await readComments(source.readings, "all", week).catch(orDocsError)
  // A digest is worth posting without this line.
  if (reading instanceof DocsError) return ""
  const groups = commentGaps(reading.comments)
  const words = writtenWords(groups)
  if (words === "") return ""
  const keys = groups.flatMap((group) => group.keys)
  const requested = (await source.requested.find(project, keys)).size
  const led = requested > 0 ? ` · ${count(requested)} led to a request` : ""
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
