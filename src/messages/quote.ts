import type { KnownBlock, RichTextBlock, RichTextText } from "@slack/types"
import { plainLines } from "./mrkdwn.ts"

type Part = RichTextBlock["elements"][number]

/** From a fence to the next one, or to where the words were cut. */
const FENCE = /```([\s\S]*?)(?:```|$)/g
const INLINE = /`([^`\n]+)`/g

/**
 * Somebody's words as plain text in a quote, and what they marked as code as code: nothing in them can
 * become a mention or a link, or turn the direction of what stands around them. @param max code points
 */
export function quote(words: string, max: number): KnownBlock {
  const parts = split(plainLines(words, max), FENCE).flatMap(({ text, isCode }): Part[] => {
    const own = withoutBreaks(text)
    if (own === "") return []
    return isCode
      ? [{ type: "rich_text_preformatted", elements: [{ type: "text", text: own }], border: 1 }]
      : [{ type: "rich_text_quote", elements: inline(own) }]
  })
  const nothing: Part = { type: "rich_text_quote", elements: [{ type: "text", text: " " }] }
  return { type: "rich_text", elements: parts.length > 0 ? parts : [nothing] }
}

function inline(words: string): RichTextText[] {
  return split(words, INLINE).map(({ text, isCode }) => ({
    type: "text",
    text,
    ...(isCode ? { style: { code: true } } : {}),
  }))
}

/** Splits into the parts that the marks surround and those between them, in order; none is empty. */
function split(words: string, marks: RegExp): { text: string; isCode: boolean }[] {
  const parts: { text: string; isCode: boolean }[] = []
  let from = 0
  for (const match of words.matchAll(marks)) {
    parts.push({ text: words.slice(from, match.index), isCode: false })
    parts.push({ text: match[1] ?? "", isCode: true })
    from = match.index + match[0].length
  }
  return [...parts, { text: words.slice(from), isCode: false }].filter(({ text }) => text !== "")
}

/** A block of its own brings its own line breaks. */
function withoutBreaks(text: string): string {
  return text.replace(/^\n+|\n+$/g, "")
}
