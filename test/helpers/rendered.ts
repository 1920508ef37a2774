import type { Message } from "../../src/slack/message-types.ts"

/** Returns blocks as a person reads them, top to bottom, with buttons and choices in brackets. */
export function rendered(blocks: Message["blocks"]): string {
  return blocks
    .map((block) => wordsOf(block))
    .filter(Boolean)
    .join("\n")
}

function wordsOf(part: unknown): string {
  if (Array.isArray(part)) return part.map(wordsOf).filter(Boolean).join(" ")
  if (typeof part !== "object" || part === null) return ""
  const fields = new Map(Object.entries(part))
  const type = fields.get("type")
  if (type === "button" || type === "static_select") return control(fields)
  if (type === "rich_text_quote") return `> ${wordsOf(fields.get("elements"))}`
  if (type === "rich_text_list")
    return [fields.get("elements")]
      .flat()
      .map((item) => `• ${wordsOf(item)}`)
      .join("\n")
  if (type === "table" || type === "data_table" || type === "data_visualization")
    return `(${String(type)})`
  const columns = fields.get("fields")
  if (Array.isArray(columns))
    return columns.map((column) => wordsOf(column).replace("\n", ": ")).join("\n")
  const own = fields.get("text")
  const words = typeof own === "string" ? asRead(own) : wordsOf(own)
  const inner = ["title", "label", "elements", "element", "accessory", "hint"]
  return [words, ...inner.map((name) => wordsOf(fields.get(name)))].filter(Boolean).join(" ")
}

function control(fields: Map<string, unknown>): string {
  const options = fields.get("options")
  const words = Array.isArray(options)
    ? `menu: ${options.map((option: unknown) => wordsOf(option)).join(" / ")}`
    : wordsOf(fields.get("text"))
  return `[${words}]`
}

/** Returns the confirmation dialogs of a message's buttons, each indented like a message. */
export function dialogsIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return []
  return Object.entries(part).flatMap(([name, inner]: [string, unknown]) =>
    name === "confirm" && !("emoji" in Object(inner)) ? [dialog(Object(inner))] : dialogsIn(inner),
  )
}

function dialog({ title, text, confirm, deny }: Record<string, unknown>): string {
  const [head, body, yes, no] = [title, text, confirm, deny].map(wordsOf)
  return `    *${head}* ${body}\n    [${yes}] [${no}]`
}

function asRead(text: string): string {
  return text
    .replace(/<!date\^[^|<>]+\|([^<>]+)>/g, "$1")
    .replace(/<(https?:[^|<>]+)\|([^<>]+)>/g, "$2")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
}
