/** The first line of a file; the byte order mark makes spreadsheets read all of it as UTF-8. */
export function csvHead(columns: string): string {
  return `\ufeff${columns}\r\n`
}

/** One line (RFC 4180), its end included. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`
}

/** `docs-visitors_site_2026-10-01_2026-10-31.csv` */
export function csvFileName(
  kind: string,
  project: string,
  { from, to }: { from: string; to: string },
  ending = "",
): string {
  const name = project.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60)
  return `${kind}_${name}_${from}_${to}${ending}.csv`
}

/**
 * Where a spreadsheet takes what follows for a formula, in full width as well, with what it passes over
 * before it. Begins only behind something else, so that a long text takes linear time.
 */
const BEFORE_SIGN = /(?<![\s\p{Cc}";])[\s\p{Cc}";]*(?=[=+\-@＝＋－＠])/gu
/** A border of cells where it is read with another separator than ours, or a line's end. */
const BORDER = /[;\t\r\n]/

/**
 * Foreign text as one cell. Spreadsheets run a cell that starts like a formula: an apostrophe before
 * it makes it text. Where the comma is the decimal sign they expect `;` or a tab between cells and know
 * nothing of our quotes, so the same holds behind each of these and at the start of each line.
 */
export function csvCell(text: string): string {
  const marked = text.replace(BEFORE_SIGN, (before, at: number) =>
    at === 0 || BORDER.test(before) ? `${before}'` : before,
  )
  const safe = /^[\t\r\n]/.test(text) ? `'${marked}` : marked
  return /[",\t\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
