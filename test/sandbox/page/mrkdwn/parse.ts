import type { Chunk, Inline } from "./nodes.ts"
import { nodeAt, type Tokenized, tokenize } from "./tokens.ts"

/**
 * Parses a text object's mrkdwn according to Slack's documentation on formatting text. Without
 * `verbatim`, bare addresses and mentions count too.
 */
export function parseMrkdwn(source: string, options: { verbatim: boolean }): Chunk[] {
  return toChunks(tokenize(source, { links: !options.verbatim, mentions: !options.verbatim }))
}

/** Parses a message's top-level `text`: addresses become links, bare mentions don't. */
export function parseMessageText(source: string): Chunk[] {
  return toChunks(tokenize(source, { links: true, mentions: false }))
}

function toChunks({ text, nodes }: Tokenized): Chunk[] {
  // Every second part was between fences.
  const parts = text.split(/```([\s\S]*?)```/)
  return parts.flatMap((part, index): Chunk[] => {
    const inner = parts.length === 1 ? part : part.replaceAll(/^\n|\n$/g, "")
    if (index % 2 === 0) return lineChunks({ text: inner, nodes })
    return [{ kind: "pre", children: parse({ text: inner, nodes }, STAND_IN) }]
  })
}

/** Groups consecutive lines into quotes, which begin with `>`, and plain lines. */
function lineChunks({ text, nodes }: Tokenized): Chunk[] {
  const runs: { quoted: boolean; text: string }[] = []
  for (const line of text.split("\n")) {
    const quoted = line.startsWith(">")
    const body = quoted ? line.replace(/^> ?/, "") : line
    const last = runs.at(-1)
    if (last?.quoted === quoted) last.text += `\n${body}`
    else runs.push({ quoted, text: body })
  }
  return runs
    .filter((run) => run.text !== "")
    .map((run) => ({
      kind: run.quoted ? "quote" : "lines",
      children: parse({ text: run.text, nodes }, MARKUP),
    }))
}

const STAND_IN = /[\u{f0000}-\u{ffffd}]/gu

/**
 * Finds line breaks, emoji, code, and other marks: before a word, not in the middle of one, and up
 * to the first end of a word in the same line.
 */
const MARKUP =
  /\n|:(?<emoji>[a-z0-9_+'-]+):|`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}])(?<mark>[*_~])(?!\s|\k<mark>)(?<marked>[^\n]+?)(?<!\s)\k<mark>(?![\p{L}\p{N}])|[\u{f0000}-\u{ffffd}]/gu

function parse(tokenized: Tokenized, pattern: RegExp): Inline[] {
  const { text } = tokenized
  const found: Inline[] = []
  let end = 0
  const addText = (to: number) => {
    if (to > end) found.push({ kind: "text", text: text.slice(end, to) })
  }
  for (const match of text.matchAll(pattern)) {
    addText(match.index)
    found.push(nodeOf(match, tokenized))
    end = match.index + match[0].length
  }
  addText(text.length)
  return found
}

const MARKS = { "*": "bold", _: "italic", "~": "strike" } as const

function nodeOf({ 0: all, groups = {} }: RegExpMatchArray, tokenized: Tokenized): Inline {
  const { emoji, code, mark, marked = "" } = groups
  if (all === "\n") return { kind: "break" }
  if (emoji !== undefined) return { kind: "emoji", name: emoji }
  if (code !== undefined)
    return { kind: "code", children: parse({ ...tokenized, text: code }, STAND_IN) }
  if (mark !== "*" && mark !== "_" && mark !== "~") return nodeAt(tokenized, all)
  return { kind: MARKS[mark], children: parse({ ...tokenized, text: marked }, MARKUP) }
}
