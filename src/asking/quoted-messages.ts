import { joined, nameInLine, ours, type Quoted, quoteLines } from "../lib/mark-quotes.ts"
import { fitting, truncate } from "../lib/truncate.ts"
import type { FileFacts } from "../slack/read-message.ts"
import { fileLine } from "./quoted-files.ts"

interface QuotedMessage {
  speaker: string
  text: string
  /** Files that the context only names; the bot reads only those of the request itself. */
  files: readonly FileFacts[]
}

/** Maximum code points of quoted messages: enough for a discussion, little of a model's context. */
export const MAX_THREAD = 12_000
export const MAX_MESSAGE = 2_000

/**
 * Quotes earlier messages of the thread, the newest if there are too many.
 * @param isWhole true if these are all messages of the thread
 */
export function quoteThread(
  messages: readonly QuotedMessage[],
  isWhole = true,
): Quoted | undefined {
  const newest = messages.toReversed().map((message) => quoteLines(asSaid(message)))
  const quoted = fitting(newest, MAX_THREAD).toReversed()
  if (quoted.length === 0) return undefined
  const isCut = !isWhole || quoted.length < messages.length
  const cut = isCut ? ours` Older ones were left out.` : ours``
  return ours`Earlier messages of the Slack thread, quoted for context, oldest first.${cut}\n${joined(quoted, "\n")}`
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
