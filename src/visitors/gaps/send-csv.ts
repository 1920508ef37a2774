import { Readable } from "node:stream"
import type { Outbound } from "../../ports/outbound.ts"
import { gapsCsv, gapsCsvName } from "./csv.ts"
import type { GapReport } from "./report.ts"

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
