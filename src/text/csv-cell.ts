/**
 * Foreign text as one cell. Spreadsheets run a cell that starts like a formula: an apostrophe before
 * it makes it text.
 */
export function csvCell(text: string): string {
  const safe = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
