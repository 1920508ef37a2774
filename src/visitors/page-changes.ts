import type { PageVisitors } from "../docs-service/docs-api.ts"
import { dayOf } from "../lib/time.ts"
import { bullets, context, header, section, textOfBlocks } from "../messages/blocks.ts"
import { beforeNumbers, count, foreignLine, plainLine } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import { currentTime } from "../store/script.ts"
import type { Reader } from "./analytics-limit.ts"
import { daysIn, periodBefore, type Range, rangeLabel, type Selection } from "./range.ts"
import { type PageList, rowsBelow, type VisitorsContext } from "./read-visitors.ts"
import { changeControls } from "./report-buttons.ts"
import { isOfEqualLength, titleOf } from "./report-message.ts"

export type ChangeReport = Awaited<ReturnType<typeof readChanges>>

export interface Mover {
  path: string
  now: number
  before: number
}

/** Maximum entries of the list, so that people see all of them at a glance. */
const MAX_LIST = 10
/** Minimum change worth a line, in visitors. */
const FLOOR = 10
/** Maximum entries of the list of pages that mostly AI reads, and their minimum visitors. */
const MAX_AI = 5
const AI_FLOOR = 20

/**
 * Lists the pages that changed most between two periods, in visitors, largest change first.
 * Leaves out changes that may be chance: those under `FLOOR`, or under twice the usual spread of
 * two such counts (the square root of their sum). A page that is missing has 0 visitors only where
 * every page was read.
 * @param longer by how much the later period is longer; the earlier counts are scaled to it
 */
export function changes(later: PageList, earlier: PageList, longer = 1): Mover[] {
  const now = totalsOf(later)
  const before = totalsOf(earlier)
  const paths = new Set([...now.keys(), ...before.keys()])
  const movers = [...paths].flatMap((path) => {
    const current = now.get(path) ?? (isWhole(later) ? 0 : undefined)
    const past = before.get(path) ?? (isWhole(earlier) ? 0 : undefined)
    if (current === undefined || past === undefined) return []
    return { path, now: current, before: Math.round(past * longer) }
  })
  const real = movers.filter(isReal).toSorted((a, b) => difference(b) - difference(a))
  return real.slice(0, MAX_LIST)
}

function totalsOf({ rows }: PageList): Map<string, number> {
  return new Map(rows.map(({ path, total }) => [path, total]))
}

function isWhole({ end }: PageList): boolean {
  return end === "complete"
}

function isReal(mover: Mover): boolean {
  const size = difference(mover)
  return size >= FLOOR && size >= 2 * Math.sqrt(mover.now + mover.before)
}

function difference({ now, before }: Mover): number {
  return Math.abs(now - before)
}

/** Lists the pages that more AI visitors read than people, most AI first. */
export function mostlyAi(rows: readonly PageVisitors[]): PageVisitors[] {
  return rows
    .filter(({ human, ai, total }) => ai > human && total >= AI_FLOOR)
    .toSorted((a, b) => b.ai - a.ai || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_AI)
}

/** Reads the changes since the period before. @throws DocsError if either period is unreadable */
export async function readChanges(
  { context, readings }: VisitorsContext,
  selection: Selection,
  reader: Reader,
) {
  const { project, range, filter } = selection
  const previous = periodBefore(range, dayOf(await currentTime(context.store)))
  const read = async (of: Range): Promise<PageList> => {
    const list = await readings.pages({ reader, project, range: of })
    return { ...list, rows: rowsBelow(list, filter) }
  }
  const [later, earlier] = await Promise.all([read(range), read(previous)])
  return {
    selection,
    project: context.settings.projects.nameOf(project),
    previous,
    changes: changes(later, earlier, daysIn(range) / daysIn(previous)),
    mostlyAi: mostlyAi(later.rows),
    whole: isWhole(later) && isWhole(earlier),
  }
}

const MAX_PATH = 120

/** @param id opaque id of the report to which a button leads back */
export function changeMessage(report: ChangeReport, id: string): Message {
  const { selection, changes, mostlyAi, previous, project, whole } = report
  const title = titleOf("What changed in docs traffic", selection)
  const lines = changes.map((one) => words(one, plainLine(one.path, MAX_PATH)))
  const aiLines = mostlyAi.map((one) => aiWords(one, plainLine(one.path, MAX_PATH)))
  const notes = [
    foreignLine(project, 60),
    `vs ${rangeLabel(previous, selection.range)}`,
    "people and AI",
    !isOfEqualLength(report) && `scaled to ${daysIn(selection.range)} days`,
    "dates in UTC",
    "small changes are left out",
    !whole && "some new or removed pages may be missing",
  ]
  const blocks = [
    header(title),
    lines.length > 0 ? bullets(lines) : section("No page changed much."),
    ...(aiLines.length > 0 ? [section("*Mostly read by AI*"), bullets(aiLines)] : []),
    ...changeControls(id),
    context(notes.filter(Boolean).join(" · ")),
  ]
  return { text: textOfBlocks(blocks), blocks }
}

function words({ now, before }: Mover, path: string): string {
  const change = `${now > before ? "+" : "−"}${count(Math.abs(now - before))}`
  return `${beforeNumbers(path)} ${count(before)} → ${count(now)} (${change})`
}

function aiWords({ human, ai }: PageVisitors, path: string): string {
  return `${beforeNumbers(path)} AI ${count(ai)}, people ${count(human)}`
}
