import { quoteLines } from "../text/plain-text.ts"
import { truncate } from "../text/truncate.ts"
import { fileLine } from "./attached.ts"
import type { FileFacts } from "./prompt.ts"

/** One message of a thread as the context needs it. */
export interface TalkMessage {
  /** Display name of the speaker. */
  speaker: string
  text: string
  /** They are named, never fetched: only those of the request itself are read. */
  files: readonly FileFacts[]
}

/** Bounds of the quoted talk: enough for a discussion, small next to a model's context. Code points. */
export const TALK_MAX = 12_000
export const MESSAGE_MAX = 2_000

const OLDER_LEFT_OUT = " Older ones were left out."

/**
 * Earlier messages of the thread as quoted text. The newest are kept when there is too much. Every
 * line is marked as a quote, so that words in the talk are not taken for instructions.
 * @param isWhole are these all messages of the thread
 */
export function quoteTalk(messages: readonly TalkMessage[], isWhole = true): string | undefined {
  const quoted: string[] = []
  let room = TALK_MAX
  for (const message of messages.toReversed()) {
    const text = quoteMessage(message)
    room -= Array.from(text).length + 1
    if (room < 0) break
    quoted.unshift(text)
  }
  if (quoted.length === 0) return undefined
  const left = messages.length - quoted.length
  const cut = isWhole ? (left > 0 ? ` The ${left} oldest were left out.` : "") : OLDER_LEFT_OUT
  return `Earlier messages of the Slack thread, quoted for context, oldest first.${cut}\n${quoted.join("\n")}`
}

/** The one message that a request is about. */
export function quoteOne(message: TalkMessage): string {
  return `A Slack message, quoted for context:\n${quoteMessage(message, TALK_MAX)}`
}

/** The messages that somebody forwarded with their request. */
export function quoteForwarded(words: string): string {
  return `Passed on with the request, quoted for context:\n${quoteLines(truncate(words, TALK_MAX))}`
}

function quoteMessage({ speaker, text, files }: TalkMessage, max = MESSAGE_MAX): string {
  const words = truncate(text.trim(), max)
  const attached = files.length > 0 ? ` [attached: ${files.map(fileLine).join(", ")}]` : ""
  const name = truncate(speaker.replace(/\s+/g, " "), 80)
  return quoteLines(`${name}: ${words}${attached}`)
}
