import { isObject, type Json, stringIn } from "../../kit/json.ts"
import { Mrkdwn, PlainText } from "../mrkdwn/text.tsx"

export function TextObject({ value }: { value: Json | undefined }) {
  if (!isObject(value)) return null
  const text = stringIn(value, "text") ?? ""
  if (value.type === "mrkdwn") return <Mrkdwn text={text} />
  return <PlainText text={text} emoji={value.emoji !== false} />
}

export function wordsIn(value: Json | undefined): string {
  return isObject(value) ? (stringIn(value, "text") ?? "") : ""
}
