import { hash } from "node:crypto"
import { EXPORTS } from "../config/timing.ts"
import type { PageVisitors } from "../ports/docs-api.ts"
import { csvLine } from "./csv.ts"
import type { ClaimedExport, CsvExports, CsvLine } from "./export-ports.ts"
import { LARGEST_EXPORT } from "./export-size.ts"
import { matches } from "./filter.ts"
import { serviceDates } from "./range.ts"
import { rank } from "./ranking.ts"
import type { Reader, ReadVisitors } from "./reading-ports.ts"
import { RANKED_PAGES, type Readings } from "./readings.ts"
import { afterPage, EXPORT_LIMIT, type WalkEnd } from "./walk.ts"

const MOST_PAGES = LARGEST_EXPORT / EXPORT_LIMIT

export interface ReadingDeps {
  /** Within the part of the hour that exports may use. */
  visitors: ReadVisitors
  readings: Readings
  exports: CsvExports
}

/** The service sent more rows than its document allows; page after page they would no longer fit. */
export class OversizedPage extends Error {
  override name = "OversizedPage"

  constructor(rows: number, asked: number) {
    super(`visitors: ${rows} rows, where at most ${asked} were asked for`)
  }
}

/** The export after one more page, and whether there is "more" or how it ended. */
interface Step {
  claimed: ClaimedExport
  outcome: "more" | WalkEnd
}

/**
 * Reads the next page into the file. One page is one request, so a crash loses at most that.
 * @returns undefined when the lease is lost. @throws DocsError, OversizedPage
 */
export async function readNextPage(
  deps: ReadingDeps,
  claimed: ClaimedExport,
): Promise<Step | undefined> {
  const { export: csv } = claimed
  return csv.offset === 0 ? readFromStart(deps, claimed) : readFromService(deps, claimed)
}

/** A short export was read whole for the report that it belongs to; nothing is asked twice. */
async function readFromStart(deps: ReadingDeps, claimed: ClaimedExport): Promise<Step | undefined> {
  const { project, range } = claimed.export
  const { value: list } = await deps.readings.pages(await ownerOf(deps, claimed), project, range)
  if (list.end === "cut") return readFromService(deps, claimed)
  bounded(list.rows, RANKED_PAGES * EXPORT_LIMIT)
  // What is here whole can be put in the order of the report's table.
  const ranked = rank(list.rows, claimed.export.by ?? "total")
  const added = await addPage(deps, claimed, ranked, list.rows.length, list.repeats)
  return added && { claimed: added.claimed, outcome: list.end }
}

async function readFromService(
  deps: ReadingDeps,
  claimed: ClaimedExport,
): Promise<Step | undefined> {
  const { project, range, offset } = claimed.export
  const query = { ...serviceDates(range), limit: EXPORT_LIMIT, offset }
  const { visitors: rows, hasMore } = await deps.visitors(
    await ownerOf(deps, claimed),
    project,
    query,
  )
  bounded(rows, EXPORT_LIMIT)
  const added = await addPage(deps, claimed, rows, EXPORT_LIMIT, 0)
  if (added === undefined) return undefined
  const page = { rows: rows.length, fresh: added.fresh, hasMore }
  return {
    claimed: added.claimed,
    outcome: afterPage(page, added.claimed.export.pages, MOST_PAGES),
  }
}

/** Who asked for it first. */
async function ownerOf({ exports }: ReadingDeps, claimed: ClaimedExport): Promise<Reader> {
  const [first] = await exports.recipients(claimed.export.id)
  return { kind: "export", user: first?.user ?? "" }
}

function bounded(rows: readonly unknown[], asked: number): void {
  if (rows.length > asked) throw new OversizedPage(rows.length, asked)
}

async function addPage(
  { exports }: ReadingDeps,
  claimed: ClaimedExport,
  rows: readonly PageVisitors[],
  step: number,
  repeats: number,
): Promise<{ claimed: ClaimedExport; fresh: number } | undefined> {
  const { offset, filter } = claimed.export
  return exports.append(claimed, {
    nextOffset: offset + step,
    lines: rows.map((row) => lineOf(row, filter)),
    repeats,
    leaseMs: EXPORTS.leaseMs,
  })
}

function lineOf(row: PageVisitors, filter: string | undefined): CsvLine {
  const key = hash("sha256", row.path, "base64url").slice(0, 16)
  return { key, text: filter === undefined || matches(row.path, filter) ? csvLine(row) : "" }
}
