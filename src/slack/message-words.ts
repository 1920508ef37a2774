import { escapeText } from "../text/plain-text.ts"
import { truncate } from "../text/truncate.ts"

/** The parts of a message that hold words. */
interface WordedMessage {
  text: string
  blocks?: readonly unknown[] | undefined
  attachments?: readonly unknown[] | undefined
}

/** As far as one message is read; what is quoted of it is less. UTF-16 units. */
const MOST_CHARS = 20_000
/** Slack takes a hundred; nobody reads so many. */
const MOST_ATTACHMENTS = 20
/** A rich text list is the deepest that Slack makes. */
const DEEPEST = 8

/**
 * What a person reads in a message, in the form of Slack's `text`. Other apps often leave `text` empty
 * or short: then the words stand in the blocks. Attachments say what `text` does not.
 */
export function messageWords({ text, blocks = [], attachments = [] }: WordedMessage): string {
  const inBlocks = linesOf(blocks)
  const own = saysLess(text, inBlocks) ? joined([text, inBlocks]) : text
  const attached = attachments.slice(0, MOST_ATTACHMENTS).map((one) => attachmentWords(one, text))
  return truncate(joined([own, ...attached]), MOST_CHARS)
}

/** What a person reads in the messages that one passes on, in the same form; empty where it passes on none. */
export function forwardedWords(attachments: unknown): string {
  return messageWords({ text: "", attachments: list(attachments).filter(isForwarded) })
}

/** Does `text` lack words that the blocks have? A person's own message says the same in both. */
function saysLess(text: string, inBlocks: string): boolean {
  return inBlocks.length > 0 && bare(inBlocks).length > bare(text).length
}

/** Without spaces and the marks of formatting, of which `text` has more than blocks. */
function bare(text: string): string {
  return text.replace(/[\s*_~`>•]/g, "")
}

/** Each of them that is not already in what stands before it. */
function joined(parts: readonly string[]): string {
  const said: string[] = []
  const trimmed = parts.map((part) => part.trim()).filter(Boolean)
  for (const [n, part] of trimmed.entries()) {
    const rest = trimmed.slice(n + 1)
    if (said.some((one) => one.includes(part)) || rest.some((one) => one.includes(part))) continue
    said.push(part)
  }
  return said.length > 0 ? said.join("\n") : (trimmed[0] ?? "")
}

/** A forwarded message, or what an app attached. The preview of a link that is in the text adds nothing. */
function attachmentWords(attachment: unknown, text: string): string {
  if (!isRecord(attachment)) return ""
  const shared = isForwarded(attachment)
  const url = string(attachment.original_url) || string(attachment.from_url)
  if (!shared && url !== "" && text.includes(url)) return ""
  const own = [attachment.pretext, attachment.title, attachment.text].map(string)
  const blocks = linesOf([attachment.blocks, attachment.message_blocks].flat())
  const said = saysLess(string(attachment.text), blocks) ? [...own, blocks] : own
  const words = joined([...said, ...list(attachment.fields).map(fieldWords)])
  const all = words || string(attachment.fallback)
  if (!shared || all === "") return all
  const author = string(attachment.author_name)
  return `${author === "" ? "A forwarded message" : `Forwarded from ${author}`}: ${all}`
}

function isForwarded(attachment: unknown): boolean {
  if (!isRecord(attachment)) return false
  return attachment.is_share === true || attachment.is_msg_unfurl === true
}

function fieldWords(field: unknown): string {
  if (!isRecord(field)) return ""
  return [string(field.title), string(field.value)].filter(Boolean).join(": ")
}

/** Blocks as lines. Buttons and inputs are left out: they are no words of a talk. */
function linesOf(blocks: readonly unknown[]): string {
  const lines: string[] = []
  let chars = 0
  for (const block of blocks) {
    if (chars > MOST_CHARS) break
    const words = wordsIn(block, 0).trim()
    chars += words.length
    if (words !== "") lines.push(words)
  }
  return lines.join("\n")
}

function wordsIn(node: unknown, depth: number): string {
  if (!isRecord(node) || depth > DEEPEST) return ""
  const type = string(node.type)
  const leaf = LEAVES[type]?.(node)
  if (leaf !== undefined) return leaf
  const inside = (value: unknown, separator: string) =>
    list(value)
      .map((child) => (Array.isArray(child) ? row(child, depth) : wordsIn(child, depth + 1)))
      .filter(Boolean)
      .join(separator)
  return [
    ownWords(node.title, depth),
    ownWords(node.text, depth),
    inside(node.fields, "\n"),
    inside(node.elements, SEPARATORS[type] ?? " "),
    inside(node.rows, "\n"),
    inside(node.child_blocks, "\n"),
    // Around the blocks of a forwarded message.
    isRecord(node.message) ? linesOf(list(node.message.blocks)) : "",
  ]
    .filter(Boolean)
    .join("\n")
}

function row(cells: readonly unknown[], depth: number): string {
  return cells.map((cell) => wordsIn(cell, depth + 1)).join(" | ")
}

/** A text object, or a bare string as a chart's title. */
function ownWords(value: unknown, depth: number): string {
  return typeof value === "string" ? escapeText(value) : wordsIn(value, depth + 1)
}

const SEPARATORS: Readonly<Record<string, string>> = {
  rich_text: "\n",
  rich_text_section: "",
  rich_text_quote: "",
  rich_text_preformatted: "",
  rich_text_list: "\n",
}

type Leaf = (node: Readonly<Record<string, unknown>>) => string

/** Only `mrkdwn` comes in the form of `text`; everything else is literal. */
const LEAVES: Readonly<Record<string, Leaf>> = {
  mrkdwn: ({ text }) => string(text),
  plain_text: ({ text }) => escapeText(string(text)),
  markdown: ({ text }) => escapeText(string(text)),
  text: ({ text }) => escapeText(string(text)),
  raw_text: ({ text }) => escapeText(string(text)),
  raw_number: ({ text, value }) => escapeText(string(text)) || String(Number(value)),
  emoji: ({ name }) => `:${escapeText(string(name))}:`,
  user: ({ user_id }) => `<@${escapeText(string(user_id))}>`,
  channel: ({ channel_id }) => `<#${escapeText(string(channel_id))}>`,
  broadcast: ({ range }) => `<!${escapeText(string(range))}>`,
  link: ({ url, text }) =>
    string(text) === ""
      ? `<${escapeText(string(url))}>`
      : `<${escapeText(string(url))}|${escapeText(string(text))}>`,
  date: ({ fallback }) => escapeText(string(fallback)),
  image: ({ alt_text }) => (string(alt_text) === "" ? "" : `[${escapeText(string(alt_text))}]`),
  actions: () => "",
  input: () => "",
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}

function string(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
