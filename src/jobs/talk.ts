import { quoteLines } from "../text/lines.ts"
import { truncate } from "../text/truncate.ts"

/** One message of a thread as the context needs it. */
export interface TalkMessage {
  /** Display name of the speaker. */
  speaker: string
  text: string
  /** Names of attached files; they are named, never fetched. */
  files: readonly string[]
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

function quoteMessage({ speaker, text, files }: TalkMessage): string {
  const words = truncate(text.trim(), MESSAGE_MAX)
  const attached = files.length > 0 ? ` [attached: ${files.join(", ")}]` : ""
  const name = truncate(speaker.replace(/\s+/g, " "), 80)
  return quoteLines(`${name}: ${words}${attached}`)
}
