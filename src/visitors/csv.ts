import type { PageVisitors } from "../ports/docs-api.ts"
import { csvCell, csvFileName, csvHead } from "../text/csv-file.ts"
import type { Range } from "./range.ts"

export const CSV_HEAD = csvHead("path,human,ai,total")

/** One page as a line of CSV. */
export function csvLine({ path, human, ai, total }: PageVisitors): string {
  return `${csvCell(path)},${human},${ai},${total}\r\n`
}

/** Name of the file; `part` when the export stopped before its end. */
export function csvName(project: string, range: Range, part: boolean): string {
  return csvFileName("docs-visitors", project, range, part ? "_part" : "")
}
