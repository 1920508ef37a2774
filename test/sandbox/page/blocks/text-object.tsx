import { isObject, type Json, stringIn } from "../../kit/json.ts"
import { Mrkdwn } from "../mrkdwn/text.tsx"

/** Renders mrkdwn, or plain text: the bot writes no emoji codes in that. */
export function TextObject({ value }: { value: Json | undefined }) {
  const text = wordsIn(value)
  return isObject(value) && value.type === "mrkdwn" ? <Mrkdwn text={text} /> : text
}

export function wordsIn(value: Json | undefined): string {
  return isObject(value) ? (stringIn(value, "text") ?? "") : ""
}
