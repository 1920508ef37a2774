import { Readable } from "node:stream"
import type { Outbound } from "../../ports/outbound.ts"
import { csvFileName, csvHead, csvRow } from "../../text/csv-file.ts"
import type { Gap, GapPart, GapReport } from "./report.ts"

const HEAD = csvHead("kind,what,page,times,without_a_click,thumbs_up,thumbs_down,readers")

/** Sends every gap of the report as a file: some hundred lines at most. @throws SlackError */
export async function sendGapsCsv(
  outbound: Pick<Outbound, "upload">,
  channel: string,
  report: GapReport,
): Promise<void> {
  const content = Buffer.from(gapsCsv(report))
  const { project, range } = report.question
  const name = csvFileName("docs-gaps", project, range)
  await outbound.upload(
    { channel },
    { name, bytes: content.length, content: Readable.from(content) },
  )
}

/** Every gap of the report as a CSV (RFC 4180), those that were not shown included. */
function gapsCsv({ questions, searches, pages }: GapReport): string {
  const gaps = [questions, searches, pages].flatMap(known)
  return HEAD + gaps.map((gap) => csvRow(cellsOf(gap))).join("")
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
