import type { Message } from "../ports/message.ts"
import { courtesyMessage, hintMessage } from "../views/near-miss-messages.ts"
import { helpMessage } from "../views/overview.ts"
import { tooLongMessage } from "../views/request-messages.ts"
import { type MentionWords, neverSaid, PROMPT_MAX } from "./parse-command.ts"

/** Commands that anybody may use, as they show nobody's data and change nothing. */
type OpenWords = Extract<MentionWords, { kind: "help" | "too_long" | "courtesy" | "near" }>

export function isOpen<Words extends { kind: string }>(
  words: Words | OpenWords,
): words is OpenWords {
  return ["help", "too_long", "courtesy", "near"].includes(words.kind)
}

/** The answer to such a command, whichever way it came in. */
export function openAnswer(words: OpenWords): Message {
  switch (words.kind) {
    case "help":
      return helpMessage()
    case "too_long":
      return tooLongMessage(words.length, PROMPT_MAX)
    case "courtesy":
      return courtesyMessage(words.courtesy)
    case "near":
      return hintMessage(words.verb)
    default:
      return neverSaid(words)
  }
}
