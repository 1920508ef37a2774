import type { PageVisitors } from "../ports/docs-api.ts"
import { csvCell } from "../text/csv-cell.ts"
import type { Range } from "./range.ts"

/** The byte order mark makes spreadsheets read Japanese and accented paths as UTF-8. */
export const CSV_HEAD = "\ufeffpath,human,ai,total\r\n"

/** One page as a line of CSV (RFC 4180), line end included. */
export function csvLine({ path, human, ai, total }: PageVisitors): string {
  return `${csvCell(path)},${human},${ai},${total}\r\n`
}

/** Name of the file; `part` when the export stopped before its end. */
export function csvName(project: string, range: Range, part: boolean): string {
  const name = project.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60)
  return `docs-visitors_${name}_${range.from}_${range.to}${part ? "_part" : ""}.csv`
}
