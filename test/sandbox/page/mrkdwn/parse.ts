import type { Chunk, Inline } from "./nodes.ts"

/** One `<…>` token, or one character outside of a token, such as a `<` that begins none. */
const STEP = "(?:<[^<>\\n]+>|<(?![^<>\\n]+>)|[^<\\n])"
const TOKEN = "<(?<token>[^<>\\n]+)>"

/** Code and preformatted text, where only tokens count. */
const LITERAL = new RegExp(TOKEN, "g")

/**
 * Finds tokens, line breaks, emoji, code, and other marks: before a word, not in the middle of one,
 * and up to the first end of a word in the same line.
 */
const MARKUP = new RegExp(
  [
    "\\n",
    TOKEN,
    ":(?<emoji>[a-z0-9_+'-]+):",
    "`(?<code>[^`\\n]+)`",
    `(?<![\\p{L}\\p{N}])(?<mark>[*_~])(?!\\s|\\k<mark>)(?<marked>${STEP}+?)(?<!\\s)\\k<mark>(?![\\p{L}\\p{N}])`,
  ].join("|"),
  "gu",
)

/**
 * Parses mrkdwn according to Slack's documentation on formatting text. Bare addresses and mentions
 * stay text, as with `verbatim`, which the bot always sets.
 */
export function parseMrkdwn(source: string): Chunk[] {
  // Every second part was between fences.
  const parts = source.split(/```([\s\S]*?)```/)
  return parts.flatMap((part, index): Chunk[] => {
    const inner = parts.length === 1 ? part : part.replaceAll(/^\n|\n$/g, "")
    if (index % 2 === 0) return lineChunks(inner)
    return [{ kind: "pre", children: parse(inner, LITERAL) }]
  })
}

/** Groups consecutive lines into quotes, which begin with `>`, and plain lines. */
function lineChunks(text: string): Chunk[] {
  const runs: { quoted: boolean; text: string }[] = []
  for (const line of text.split("\n")) {
    const body = line.replace(/^(?:&gt;|>) ?/, "")
    const quoted = body !== line
    const last = runs.at(-1)
    if (last?.quoted === quoted) last.text += `\n${body}`
    else runs.push({ quoted, text: body })
  }
  return runs
    .filter((run) => run.text !== "")
    .map((run) => ({ kind: run.quoted ? "quote" : "lines", children: parse(run.text, MARKUP) }))
}

function parse(source: string, pattern: RegExp): Inline[] {
  const found: Inline[] = []
  let end = 0
  const addText = (to: number) => {
    if (to > end) found.push(text(decode(source.slice(end, to))))
  }
  for (const match of source.matchAll(pattern)) {
    addText(match.index)
    found.push(nodeOf(match.groups ?? {}))
    end = match.index + match[0].length
  }
  addText(source.length)
  return found
}

const MARKS: Readonly<Record<string, "bold" | "italic" | "strike">> = {
  "*": "bold",
  _: "italic",
  "~": "strike",
}

function nodeOf({ token, emoji, code, mark = "", marked = "" }: Record<string, string>): Inline {
  if (token !== undefined) return tokenNode(token)
  if (emoji !== undefined) return { kind: "emoji", name: emoji }
  if (code !== undefined) return { kind: "code", children: parse(code, LITERAL) }
  const kind = MARKS[mark]
  return kind ? { kind, children: parse(marked, MARKUP) } : { kind: "break" }
}

/** Decodes Slack's only three escapes; `&amp;` last, so that `&amp;lt;` stays `&lt;`. */
function decode(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
}

/** Returns the meaning of one `<…>` token. A form unknown to Slack is shown by its label. */
function tokenNode(body: string): Inline {
  const bar = body.indexOf("|")
  const target = bar < 0 ? body : body.slice(0, bar)
  const label = bar < 0 ? undefined : decode(body.slice(bar + 1))
  if (/^@[UWB]/.test(target)) return { kind: "user", id: target.slice(1) }
  if (target.startsWith("#C")) return { kind: "channel", id: target.slice(1), label }
  if (target.startsWith("!")) return command(target.slice(1), label)
  if (/^https?:/.test(target)) {
    const url = decode(target)
    return { kind: "link", url, children: [text(label ?? url)] }
  }
  return { kind: "mistaken", text: label ?? decode(target) }
}

function command(name: string, label: string | undefined): Inline {
  if (/^(?:here|channel|everyone)$/.test(name)) return { kind: "broadcast", label: `@${name}` }
  if (name.startsWith("subteam^")) return { kind: "broadcast", label: label ?? "@group" }
  const [kind, at, format] = name.split("^")
  if (kind === "date" && at && format && /^\d+$/.test(at)) {
    return { kind: "date", at: Number(at), format, fallback: label ?? "" }
  }
  return text(label === undefined ? `<${name}>` : label)
}

function text(words: string): Inline {
  return { kind: "text", text: words }
}
