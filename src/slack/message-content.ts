import { z } from "zod"
import { escapeText } from "../lib/plain-text.ts"
import { truncate } from "../lib/truncate.ts"

export const fileShape = z.object({
  id: z.string(),
  name: z.string().optional(),
  /** MIME type that Slack reports; it may be wrong. */
  type: z.string().optional(),
  /** Kind that is no ordinary file; people know it by this name. */
  kind: z.enum(["canvas", "snippet", "voice_clip", "video_clip"]).optional(),
  /** Size that Slack reports, in bytes; it may be wrong. */
  size: z.number().optional(),
  /** Author as in `Author`; absent if Slack has yet to say. */
  by: z.string().optional(),
})
export type FileFacts = z.infer<typeof fileShape>

/**
 * Author of a text: a person's id; `team:` and the id of the workspace whose app it is; or "" if
 * Slack does not say. Absent for Slackbot, which is of every workspace.
 */
export type Author = string | undefined

export const quoteShape = z.object({
  by: z.string().optional(),
  text: z.string(),
})
/** Message that a request passes on. */
export type Quote = z.infer<typeof quoteShape>

/** Maximum length that the bot reads of one message, in code points. */
const MAX_CHARS = 20_000
/** Maximum attachments that the bot reads; Slack allows a hundred. */
const MAX_ATTACHMENTS = 20
/** Maximum parts of a message or attachment that the bot compares and joins. */
const MAX_PARTS = 200
/** Maximum nesting of blocks that the bot reads, about twice what lists in rich text need. */
const MAX_DEPTH = 8
/** Maximum files of a message: people attach up to ten, but forwarded messages bring more. */
const MAX_FILES = 50
const MAX_NAME = 255

const text = z.string().optional()

/**
 * Slack's own bot. `users.info` calls it a person, and its notices, reminders and automatic answers
 * often carry neither a `bot_id` nor a subtype.
 */
export const SLACKBOT = "USLACKBOT"

/** Parses a message. Keeps only its text and files, because blocks are many times larger. */
export const messageShape = z
  .object({
    ts: z.string(),
    thread_ts: text,
    user: text,
    bot_id: text,
    username: text,
    bot_profile: z.object({ name: text, team_id: text }).optional().catch(undefined),
    text: z.string().default(""),
    blocks: z.unknown().optional(),
    attachments: z.unknown().optional(),
    files: z.unknown().optional(),
  })
  .transform(({ ts, thread_ts, bot_id: bot, username, bot_profile: own, ...message }) => {
    const user = personIn(message.user)
    const by = message.user ? user : appOf(own?.team_id)
    const attachments = list(message.attachments).filter((one) => !isForwarded(record(one)))
    const text = wordsOf({ ...message, attachments })
    const [files, forwards] = [filesOf(message, by), forwardsOf(message.attachments)]
    // "Some bot_messages also include username …. If present these override the default username".
    const app = username || own?.name || (message.user === SLACKBOT ? "Slackbot" : undefined)
    return { ts, thread_ts, user, by, bot, app, text, files, forwards }
  })

function appOf(team: string | undefined): Author {
  return team === undefined ? "" : `team:${team}`
}

/** Returns the author unless it is Slackbot, which counts as an app. */
function personIn(author: string | undefined): string | undefined {
  return author === SLACKBOT ? undefined : author
}

/**
 * Returns the text that a person reads in a message, in the form of Slack's `text`. Other apps
 * often leave `text` empty or short, so this also reads the blocks and adds the attachments.
 */
export function wordsOf(message: { text: string; blocks?: unknown; attachments?: unknown }) {
  const { text, blocks, attachments } = message
  const inBlocks = linesOf(list(blocks))
  const own = saysLess(text, inBlocks) ? joined([text, inBlocks]) : text
  const attached = list(attachments)
    .slice(0, MAX_ATTACHMENTS)
    .map((one) => attachmentWords(record(one), text))
  return truncate(joined([own, ...attached]), MAX_CHARS)
}

/** Returns what a message passes on, apart from its own words, because others said it. */
export function forwardsOf(attachments: unknown): Quote[] {
  const forwarded = list(attachments).map(record).filter(isForwarded).slice(0, MAX_ATTACHMENTS)
  return forwarded.flatMap((one) => {
    const text = wordsOf({ text: "", attachments: [one] })
    return text === "" ? [] : { by: personIn(string(one.author_id)), text }
  })
}

/**
 * Returns what a message has beside its text, such as a pasted table, of which Slack shows nothing
 * in `text`, `blocks` or `files`. Leaves out forwarded messages and previews of links in the text.
 */
export function pastedIn(message: { text: string; attachments?: unknown }): string {
  const own = list(message.attachments).map(record)
  const pasted = own.filter((one) => !isForwarded(one)).slice(0, MAX_ATTACHMENTS)
  return truncate(joined(pasted.map((one) => attachmentWords(one, message.text))), MAX_CHARS)
}

const fileName = z
  .string()
  .transform((words) => truncate(words, MAX_NAME) || undefined)
  .optional()

/** Shape of Slack's own file object. Slack sends only the id of a deleted one, and little more in Slack Connect. */
const slackFile = z
  .object({
    id: z.string().min(1),
    user: text.catch(undefined),
    name: fileName,
    mimetype: fileName,
    subtype: text.catch(undefined),
    mode: text.catch(undefined),
    size: z.number().nonnegative().optional(),
  })
  .transform(({ id, user, name, mimetype: type, subtype = "", mode, size }): FileFacts => {
    const kind = KINDS[subtype] ?? KINDS[type ?? ""] ?? (mode === "snippet" ? mode : undefined)
    // Without a name, Slack says nothing else about the file, and the size that it sends isn't real.
    const by = personIn(user || undefined)
    return { id, name, type, kind, size: name ? size : undefined, by }
  })

/** Files with a name of their own in Slack, by their subtype or MIME type. */
const KINDS: Readonly<Record<string, FileFacts["kind"]>> = {
  slack_audio: "voice_clip",
  slack_video: "video_clip",
  "application/vnd.slack-docs": "canvas",
}

export function fileFacts(shown: unknown): FileFacts | undefined {
  return slackFile.safeParse(shown).data
}

/** Returns a message's files and those that it passes on. @param by author of the message */
export function filesOf(message: { files?: unknown; attachments?: unknown }, by?: Author) {
  const passedOn = list(message.attachments)
    .map(record)
    .flatMap((one) => filesBy(isForwarded(one) ? string(one.author_id) : by, one.files))
  const found = [...filesBy(by, message.files), ...passedOn]
  return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, MAX_FILES)
}

function filesBy(author: Author, files: unknown): FileFacts[] {
  return list(files).flatMap((shown) => {
    const facts = fileFacts(shown)
    return facts ? { ...facts, by: facts.by ?? authorOfFile(author, record(shown)) } : []
  })
}

/**
 * Returns the message's author as the file's, unless it is a file of Slack Connect, of which only
 * `files.info` says whose it is ("check_file_info").
 */
function authorOfFile(author: Author, { file_access }: Json): Author {
  return file_access === "check_file_info" ? undefined : personIn(author)
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
function joined(parts: readonly string[]): string {
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

type Json = Readonly<Record<string, unknown>>

/** Returns the text of a forwarded message or an app's attachment, but not of a link preview. */
function attachmentWords(attachment: Json, text: string): string {
  const shared = isForwarded(attachment)
  const url = string(attachment.original_url) || string(attachment.from_url)
  // In `text`, an address is escaped.
  if (!shared && url !== "" && [url, escapeText(url)].some((one) => text.includes(one))) return ""
  const own = [attachment.pretext, attachment.title, attachment.text].map(string)
  const blocks = linesOf([attachment.blocks, attachment.message_blocks].flat())
  const said = saysLess(string(attachment.text), blocks) ? [...own, blocks] : own
  const fields = list(attachment.fields)
    .slice(0, MAX_PARTS)
    .map((field) => {
      const { title, value } = record(field)
      return [string(title), string(value)].filter(Boolean).join(": ")
    })
  const all = joined([...said, ...fields]) || string(attachment.fallback)
  if (!shared || all === "") return all
  const author = string(attachment.author_name)
  return `${author === "" ? "A forwarded message" : `Forwarded from ${author}`}: ${all}`
}

function isForwarded(attachment: Json): boolean {
  return attachment.is_share === true || attachment.is_msg_unfurl === true
}

function linesOf(blocks: readonly unknown[]): string {
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

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {}
}

function string(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
