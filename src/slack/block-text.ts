import { escapeText } from "../lib/plain-text.ts"
import { truncate } from "../lib/truncate.ts"

/** Maximum length that the bot reads of one message, in code points. */
export const MAX_CHARS = 20_000
/** Maximum attachments that the bot reads; Slack allows a hundred. */
export const MAX_ATTACHMENTS = 20
/** Maximum parts of a message or attachment that the bot compares and joins. */
const MAX_PARTS = 200
/** Maximum nesting of blocks that the bot reads, about twice what lists in rich text need. */
const MAX_DEPTH = 8

/**
 * Returns the text that a person reads in a message, in the form of Slack's `text`. Other apps
 * often leave `text` empty or short, so this also reads the blocks and adds the attachments.
 */
export function wordsOf(message: { text: string; blocks?: unknown; attachments?: unknown }) {
  const { text, blocks, attachments } = message
  const inBlocks = linesOfBlocks(list(blocks))
  const own = saysLess(text, inBlocks) ? joinDistinct([text, inBlocks]) : text
  const attached = list(attachments)
    .slice(0, MAX_ATTACHMENTS)
    .map((one) => attachmentWords(record(one), text))
  return truncate(joinDistinct([own, ...attached]), MAX_CHARS)
}

/** Returns whether `text` is shorter than the blocks' text, as other apps' often is. */
function saysLess(text: string, inBlocks: string): boolean {
  // Ignores spaces and formatting marks, of which `text` has more than the blocks.
  const length = (words: string) => words.replace(/[\s*_~`>•]/g, "").length
  return length(inBlocks) > length(text)
}

/**
 * Joins parts without those that another one repeats. Takes only as many as a message may have: with
 * thousands of them, comparing each with each took a worker's whole time.
 */
export function joinDistinct(parts: readonly string[]): string {
  const all: string[] = []
  let room = MAX_CHARS
  for (const part of new Set(
    parts
      .slice(0, MAX_PARTS)
      .map((one) => one.trim())
      .filter(Boolean),
  )) {
    if (room <= 0) break
    all.push(part)
    room -= part.length
  }
  return all.filter((part) => !all.some((one) => one !== part && one.includes(part))).join("\n")
}

export type Json = Readonly<Record<string, unknown>>

/** Returns the text of a forwarded message or an app's attachment, but not of a link preview. */
export function attachmentWords(attachment: Json, text: string): string {
  const shared = isForwarded(attachment)
  const url = string(attachment.original_url) || string(attachment.from_url)
  // In `text`, an address is escaped.
  if (!shared && url !== "" && [url, escapeText(url)].some((one) => text.includes(one))) return ""
  const own = [attachment.pretext, attachment.title, attachment.text].map(string)
  const blocks = linesOfBlocks([attachment.blocks, attachment.message_blocks].flat())
  const said = saysLess(string(attachment.text), blocks) ? [...own, blocks] : own
  const fields = list(attachment.fields)
    .slice(0, MAX_PARTS)
    .map((field) => {
      const { title, value } = record(field)
      return [string(title), string(value)].filter(Boolean).join(": ")
    })
  const all = joinDistinct([...said, ...fields]) || string(attachment.fallback)
  if (!shared || all === "") return all
  const author = string(attachment.author_name)
  return `${author === "" ? "A forwarded message" : `Forwarded from ${author}`}: ${all}`
}

export function isForwarded(attachment: Json): boolean {
  return attachment.is_share === true || attachment.is_msg_unfurl === true
}

function linesOfBlocks(blocks: readonly unknown[]): string {
  const lines = blocks.map((block) => wordsIn(block, 0).trim())
  return lines.filter(Boolean).join("\n")
}

/** Parts of a block that contain text, in reading order; a forwarded message has `message`. */
const PARTS = ["title", "text", "fields", "elements", "rows", "child_blocks", "message", "blocks"]
const INLINE = new Set(["rich_text_section", "rich_text_quote", "rich_text_preformatted"])

function wordsIn(value: unknown, depth: number): string {
  if (Array.isArray(value)) return value.map((cell) => wordsIn(cell, depth)).join(" | ")
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return ""
  const node = record(value)
  const type = string(node.type)
  const leaf = LEAVES[type]?.(node)
  if (leaf !== undefined) return leaf
  const words = PARTS.map((name) => {
    const part = node[name]
    // Only `mrkdwn` has the form of Slack's `text`; every other string is literal.
    if (typeof part === "string") return escapeText(part)
    if (!Array.isArray(part)) return wordsIn(part, depth + 1)
    const inside = part.map((child) => wordsIn(child, depth + 1))
    return inside.filter(Boolean).join(INLINE.has(type) ? "" : "\n")
  })
  return words.filter(Boolean).join("\n")
}

const LEAVES: Readonly<Record<string, (node: Json) => string>> = {
  mrkdwn: ({ text }) => string(text),
  raw_number: ({ text, value }) => escapeText(string(text)) || String(Number(value)),
  emoji: ({ name }) => `:${escapeText(string(name))}:`,
  user: ({ user_id }) => `<@${escapeText(string(user_id))}>`,
  channel: ({ channel_id }) => `<#${escapeText(string(channel_id))}>`,
  broadcast: ({ range }) => `<!${escapeText(string(range))}>`,
  link: ({ url, text }) => `<${[url, text].map(string).filter(Boolean).map(escapeText).join("|")}>`,
  date: ({ fallback }) => escapeText(string(fallback)),
  image: ({ alt_text }) => (string(alt_text) === "" ? "" : `[${escapeText(string(alt_text))}]`),
  // Buttons and inputs are not part of the conversation.
  actions: () => "",
  input: () => "",
}

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {}
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : ""
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
