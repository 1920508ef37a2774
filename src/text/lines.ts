/** What Unicode takes for the end of a line (UAX #14, mandatory breaks): an agent may as well. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Text as a quotation: every line of it is marked, so that no word in it stands outside. */
export function quoteLines(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => `> ${line}`)
    .join("\n")
}
