import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { isKeyFault } from "../jobs/pause-record.ts"
import { defined } from "../lib/json.ts"
import { addDays, type Day, dayOf } from "../lib/time.ts"
import { button, context, section, textOfBlocks } from "../messages/blocks.ts"
import { count, counted, foreignLine, percentWords } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import { dayLabel, weekdayName } from "./range.ts"
import type { Readings, VisitorsContext } from "./read-visitors.ts"
import { median } from "./requests-report-figures.ts"
import { nextLook, type Watch } from "./scheduled-posts.ts"
import { saveShown } from "./stored-reports.ts"

type UnusualDay = Awaited<ReturnType<typeof unusualDay>>[number]

/** Number of earlier weeks with which to compare a day. */
const WEEKS = 8
const MIN_WEEKS = 4
/** Minimum change worth an alert, in visitors. */
const MIN_CHANGE = 20

/** Returns the day to check; none before noon, when a late look would make two alerts in a day. */
export function dayToCheck(now: number): Day | undefined {
  const today = dayOf(now)
  return dayOf(nextLook(now)) === today ? undefined : addDays(today, -1)
}

/** Returns the median of earlier days if the day is unusual; days without visitors do not count. */
export function unusual(visitors: number, before: readonly number[]): number | undefined {
  const known = before.filter((count) => count > 0)
  const usual = median(known)
  if (usual === undefined || known.length < MIN_WEEKS) return undefined
  const isOdd = visitors < usual / 2 || visitors > usual * 2
  return isOdd && Math.abs(visitors - usual) >= MIN_CHANGE ? usual : undefined
}

/**
 * Returns the alerts for which a day was unusual. A project that was removed is passed over, until
 * it is back; one whose key is refused holds no other back, because only a person ends that.
 * @param mayWait whether a later try may still find the numbers that are missing now
 * @throws DocsError if it is worth waiting for the service
 */
async function unusualDays(
  readings: Readings,
  watches: readonly Watch[],
  day: Day,
  mayWait: boolean,
): Promise<UnusualDay[]> {
  const odd: UnusualDay[] = []
  const failed: DocsError[] = []
  for (const watch of watches) {
    const found = await unusualDay(readings, watch, day).catch(orDocsError)
    if (found instanceof DocsError) failed.push(found)
    else odd.push(...found)
  }
  const awaited = failed
    .filter(({ fault }) => fault !== "not_configured")
    .find(({ fault }) => odd.length === 0 || !isKeyFault(fault))
  if (awaited && mayWait) throw awaited
  return odd
}

async function unusualDay(readings: Readings, watch: Watch, day: Day) {
  const { project, of, filter } = watch
  const counts: number[] = []
  // Reads one day after another, so that the cache keeps those read before the hour ran out.
  for (let week = 0; week <= WEEKS; week++) {
    const then = addDays(day, -7 * week)
    const range = { from: then, to: then }
    counts.push((await readings.figures({ reader: undefined, project, range }, filter))[of])
  }
  const [visitors = 0, ...before] = counts
  const usual = unusual(visitors, before)
  return usual === undefined ? [] : [{ watch, visitors, usual }]
}

/**
 * Makes the message about a channel's unusual day; undefined if there is nothing to say.
 * @throws DocsError as `unusualDays`
 */
export async function makeAlert(
  { context, readings }: VisitorsContext,
  channel: string,
  watches: readonly Watch[],
  { now, mayWait }: { now: number; mayWait: boolean },
): Promise<Message | undefined> {
  const day = dayToCheck(now)
  if (day === undefined) return undefined
  const odd = await unusualDays(readings, watches, day, mayWait)
  const lines: AlertLine[] = []
  for (const unusual of odd) {
    const { project, filter } = unusual.watch
    const view = { project, range: { from: day, to: day }, page: 1, ...defined({ filter }) }
    const report = await saveShown(context.store, { channel }, view)
    lines.push({ ...unusual, project: context.settings.projects.nameOf(project), report })
  }
  return lines.length > 0 ? alertMessage(day, lines) : undefined
}

/** Action of the button beside an alert; its value is the opaque id of the report. */
export const ALERT_REPORT = "alert_report"

const MAX_PATH = 80

/** Unusual day, with its project's name and its report's opaque id. */
type AlertLine = UnusualDay & { project: string; report: string }

export function alertMessage(day: Day, lines: readonly AlertLine[]): Message {
  const open = { action: ALERT_REPORT, label: "Open the report" }
  const rows = lines.map((one) =>
    section(alertText(day, one), button({ ...open, value: one.report })),
  )
  const about = `Compared with the previous ${WEEKS} ${weekdayName(day)}s (UTC) · manage: \`/docs-visitors alert list\``
  const blocks = [...rows, context(about)]
  return { text: textOfBlocks(blocks), blocks }
}

/** Writes "Docs traffic dropped on Fri, Nov 13: 20 people, down 78% from the usual 90 · docs". */
function alertText(day: Day, { watch, project, visitors, usual }: AlertLine): string {
  const [verb, way] = visitors < usual ? ["dropped", "down"] : ["rose", "up"]
  const when = `${weekdayName(day).slice(0, 3)}, ${dayLabel(day)}`
  const change = `${way} ${percentWords(visitors, usual)} from the usual ${count(Math.round(usual))}`
  const visits = `${counted(visitors, ...countedNames(watch))}${onPages(watch)}`
  return `*Docs traffic ${verb} on ${when}*: ${visits}, ${change} · ${foreignLine(project, 40)}`
}

/** Writes what an alert counts, such as "people" or "AI page visits under /guides". */
export function watchWords(watch: Watch): string {
  return `${countedNames(watch)[1]}${onPages(watch)}`
}

/** Names what an alert counts, one and many. With a path, a reader of two pages counts twice. */
function countedNames({ of, filter }: Watch): [string, string] {
  if (filter === undefined)
    return of === "ai" ? ["AI visitor", "AI visitors"] : ["person", "people"]
  if (of === "ai") return ["AI page visit", "AI page visits"]
  return ["page visit by people", "page visits by people"]
}

function onPages({ filter }: Watch): string {
  return filter === undefined ? "" : ` under ${foreignLine(filter, MAX_PATH)}`
}
