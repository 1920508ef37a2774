import { joined, nameInLine, ours, type Quoted, quoteLines } from "../lib/mark-quotes.ts"
import { stopwatch } from "../lib/time.ts"
import { bytesInJson, fitting, truncate } from "../lib/truncate.ts"
import { type FileRead, type ReadFile, reasonUnread } from "../slack/accepted-text-files.ts"
import type { FileFacts } from "../slack/read-message.ts"

interface QuotedMessage {
  speaker: string
  text: string
  /** Files that the context only names; the bot reads only those of the request itself. */
  files: readonly FileFacts[]
  /** True for the thread's first message, which says what the others are about. */
  isFirst?: boolean
}

/** Maximum code points of quoted messages: enough for a discussion, little of a model's context. */
export const MAX_THREAD = 12_000
export const MAX_MESSAGE = 2_000
/** Maximum code points of the name of a speaker, requester or mentioned person. */
export const MAX_SPEAKER = 80

/**
 * Quotes earlier messages of the thread: the first and the newest if there are too many.
 * @param isWhole true if these are all messages of the thread
 */
export function quoteThread(
  messages: readonly QuotedMessage[],
  isWhole = true,
): Quoted | undefined {
  const first = messages.filter(({ isFirst }) => isFirst)
  const newest = messages.filter(({ isFirst }) => !isFirst).toReversed()
  const wanted = [...first, ...newest].map((message) => quoteLines(asSaid(message)))
  const quoted = fitting(wanted, MAX_THREAD)
  if (quoted.length === 0) return undefined
  const [begin, end] = [quoted.slice(0, first.length), quoted.slice(first.length)]
  const isCut = !isWhole || quoted.length < messages.length
  const left =
    first.length > 0 ? ours` Some after the first were left out.` : ours` Older ones were left out.`
  const cut = isCut ? left : ours``
  return ours`Earlier messages of the Slack thread, quoted for context, oldest first.${cut}\n${joined([...begin, ...end.toReversed()], "\n")}`
}

export function quotePassedOn(messages: readonly string[]): Quoted {
  const words = truncate(messages.join("\n"), MAX_THREAD)
  return ours`Passed on with the request, quoted for context:\n${quoteLines(words)}`
}

/** Writes a message as its speaker said it. @param max code points of the text */
export function asSaid({ speaker, text, files }: QuotedMessage, max = MAX_MESSAGE): string {
  const words = truncate(text.trim(), max)
  const attached = files.length > 0 ? ` [attached: ${files.map(fileLine).join(", ")}]` : ""
  return `${nameInLine(speaker, MAX_SPEAKER)}: ${words}${attached}`
}

const MAX_READ = 10
/** Time limit in ms for all files of a request, because its card is posted only after that. */
const READ_WITHIN_MS = 8_000

/**
 * Returns the request that a message without words makes with a table or a text file; "" if it has
 * neither. @param pasted text of a pasted table
 */
export function wordsForAttached(message: { files: readonly FileFacts[]; pasted: string }): string {
  const file = message.files.find((one) => reasonUnread(one) === undefined)
  const name = file?.kind === "snippet" ? "snippet" : file?.name && nameInLine(file.name, 80)
  const what = name ?? (message.pasted === "" ? undefined : "table")
  return what === undefined ? "" : `Update the docs with the attached ${what}`
}

/**
 * Reads the files one after another, so that memory holds only one besides the quoted text.
 * @param room maximum bytes of all that it quotes, as JSON sends it
 */
export async function readAttached(files: readonly FileFacts[], read: ReadFile, room: number) {
  const spent = stopwatch()
  const found: FileRead[] = []
  let left = room
  for (const [n, file] of files.entries()) {
    const leftMs = Math.floor(READ_WITHIN_MS - spent())
    const why = whyNot(file, n, { left, leftMs })
    const one: FileRead = why ? { file, unread: why } : await read(file, leftMs)
    const bytes = "text" in one ? bytesInJson(quoteFile(one)) : 0
    if (bytes > left) {
      found.push({ file: one.file, unread: "no_room" })
      continue
    }
    found.push(one)
    left -= bytes
  }
  return {
    quoted: ours`Files attached to the request, quoted for context:\n${joined(found.map(quoteFile), "\n\n")}`,
    unread: found.flatMap((one) => ("unread" in one ? { ...one.file, why: one.unread } : [])),
  }
}

/** Returns the reason not to read a file, the `n`th from 0, within these bytes and this time. */
function whyNot(file: FileFacts, n: number, { left, leftMs }: { left: number; leftMs: number }) {
  if (n >= MAX_READ) return "no_room"
  if (reasonUnread(file) === undefined && (file.size ?? 0) > left) return "no_room"
  return leftMs < 1 ? "unavailable" : undefined
}

function quoteFile(found: FileRead): Quoted {
  const name = fileLine(found.file)
  // The agent must not mistake a file's name for its content.
  if ("unread" in found) return quoteLines(`${name}: not quoted`)
  return quoteLines(`${name}:\n${found.text}`)
}

/** Describes a file on one line, whatever its name contains: `notes.md (text/markdown, 2 kB)`. */
function fileLine({ name, type, size }: FileFacts): string {
  const called = name ? nameInLine(name, 120) : "a file"
  const facts = [
    type && nameInLine(type, 80),
    size !== undefined && `${Math.ceil(size / 1000)} kB`,
  ].filter(Boolean)
  return facts.length > 0 ? `${called} (${facts.join(", ")})` : called
}
