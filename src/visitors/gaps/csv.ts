import { Readable } from "node:stream"
import type { Outbound } from "../../ports/outbound.ts"
import { csvCell } from "../../text/csv-cell.ts"
import type { Gap, GapPart, GapReport } from "./report.ts"

/** The byte order mark makes spreadsheets read questions in any writing as UTF-8. */
const HEAD = "\ufeffkind,what,page,times,without_a_click,thumbs_up,thumbs_down,readers\r\n"

/** Sends every gap of the report as a file: some hundred lines at most. @throws SlackError */
export async function sendGapsCsv(
  outbound: Pick<Outbound, "upload">,
  channel: string,
  report: GapReport,
): Promise<void> {
  const content = Buffer.from(gapsCsv(report))
  const file = { name: gapsCsvName(report), bytes: content.length, content: Readable.from(content) }
  await outbound.upload({ channel }, file)
}

/** Every gap of the report as a CSV (RFC 4180), those that were not shown included. */
function gapsCsv({ questions, searches, pages }: GapReport): string {
  const rows = [questions, searches, pages].flatMap(known).map(cellsOf)
  return HEAD + rows.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("")
}

function gapsCsvName({ question: { project, range } }: GapReport): string {
  const name = project.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60)
  return `docs-gaps_${name}_${range.from}_${range.to}.csv`
}

function known(part: GapPart<Gap[]>): Gap[] {
  return part.kind === "known" ? part.value : []
}

function cellsOf(gap: Gap): string[] {
  const { kind } = gap
  if (kind === "question")
    return [kind, gap.text, gap.pages[0]?.path ?? "", String(gap.asked), "", "", "", ""]
  if (kind === "search")
    return [kind, gap.text, gap.path ?? "", String(gap.hits), String(gap.lost), "", "", ""]
  const readers = gap.readers === undefined ? "" : String(gap.readers)
  return [kind, gap.path, gap.path, "", "", String(gap.up), String(gap.down), readers]
}
