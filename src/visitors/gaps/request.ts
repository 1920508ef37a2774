import { quoteLines } from "../../text/lines.ts"
import type { Range } from "../range.ts"
import type { Gap } from "./report.ts"

/**
 * What a person would ask the docs agent for about a gap, with the evidence. What readers wrote stands
 * in a quotation: it is what they said, and not what is asked for. Pure.
 */
export function requestFor(gap: Gap, { from, to }: Range): string {
  const when = from === to ? `on ${from}` : `from ${from} to ${to}`
  switch (gap.kind) {
    case "question": {
      const [page] = gap.pages
      const where = page ? `, most often on ${page.path}` : ""
      return `Readers asked the docs assistant this and got no answer:\n${quoteLines(gap.text)}\nIt came up in ${times(gap.asked, "conversation")} ${when}${where}. Add what is missing, on that page or where it fits best.`
    }
    case "search": {
      const few =
        gap.path === undefined ? "and nobody found a page" : "and hardly anybody opened one"
      return `Readers searched the docs for this, ${few}:\n${quoteLines(gap.text)}\nThere were ${times(gap.hits, "search", "searches")} ${when}, ${gap.lost} of them without a result that helped. Cover it, in words that this search finds.`
    }
    case "page": {
      const readers = gap.readers === undefined ? "" : `, with ${times(gap.readers, "reader")}`
      return `Improve the page ${gap.path}: it got ${times(gap.down, "thumb")} down and ${gap.up} up ${when}${readers}. Find out what it leaves unclear or gets wrong, and fix that.`
    }
    default:
      return gap satisfies never
  }
}

function times(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
