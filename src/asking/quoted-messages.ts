import { joined, nameInLine, ours, type Quoted, quoteLines } from "../lib/mark-quotes.ts"
import { fitting, truncate } from "../lib/truncate.ts"
import type { FileFacts } from "../slack/read-message.ts"
import { fileLine } from "./quoted-files.ts"

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
  return `${nameInLine(speaker, 80)}: ${words}${attached}`
}
