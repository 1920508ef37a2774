/** Builds a file (RFC 4180) whose byte order mark makes spreadsheets read it as UTF-8. */
export function csvFile(columns: readonly string[], rows: readonly (readonly string[])[]): Buffer {
  const lines = [columns, ...rows].map((cells) => `${cells.map(csvCell).join(",")}\r\n`)
  return Buffer.from(`\ufeff${lines.join("")}`)
}

/**
 * Matches the characters that a spreadsheet skips before the sign of a formula, full-width signs
 * included. A match begins only after another character, so that a long text takes linear time.
 */
const BEFORE_SIGN = /(?<![\s\p{Cc}";])[\s\p{Cc}";]*(?=[=+\-@＝＋－＠])/gu

/**
 * Formats untrusted text as one cell. Spreadsheets run a cell that starts like a formula; an
 * apostrophe makes it text. In countries with a decimal comma, they expect `;` or a tab between
 * cells and ignore the quotes, so the cell needs an apostrophe after each of these and at the start
 * of each line too.
 */
export function csvCell(text: string): string {
  const marked = text.replace(BEFORE_SIGN, (before, at: number) =>
    at === 0 || /[;\t\r\n]/.test(before) ? `${before}'` : before,
  )
  const safe = /^[\t\r\n]/.test(text) ? `'${marked}` : marked
  return /[",\t\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
