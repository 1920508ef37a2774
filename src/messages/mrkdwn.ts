import { escapeText, harmless } from "../lib/plain-text.ts"
import { shorten } from "../lib/truncate.ts"

/** Pattern for the `@` of a mention that notifies a whole channel. */
export const SHOUT = /@(?=here|channel|everyone)/gi

/**
 * Makes untrusted text, which is whatever the bot did not write itself, safe for a line of mrkdwn:
 * cleans, cuts and escapes it, breaks `@here` and the like with a zero-width space, and keeps numbers
 * behind it in order.
 * @param max code points before escaping; `&` grows fivefold, so stay well under a block's limit.
 */
export function foreignLine(text: string, max: number): string {
  const safe = escapeText(clean(text.replace(/\s+/g, " "), max)).replace(SHOUT, "@\u200b")
  return beforeNumbers(safe)
}

/** Makes untrusted text safe for plain_text and rich_text; Slack refuses an empty string there. */
export function plainLines(text: string, max: number): string {
  return clean(text, max) || " "
}

export function plainLine(text: string, max: number): string {
  return plainLines(text.replace(/\s+/g, " "), max)
}

function clean(text: string, max: number): string {
  const safe = text.split("\n").map(harmless).join("\n")
  return shorten(safe.trim(), max)
}

/** Makes a link. The caller must have checked that `url` is http(s). */
export function link(url: string, label: string): string {
  return `<${linkTarget(url)}|${foreignLine(label, 150).replaceAll("|", "¦")}>`
}

/**
 * Escapes a URL for a mrkdwn link. Encodes the `@` of `@here`, `@channel` and `@everyone`, because
 * plain-text fallbacks show the bare URL.
 */
export function linkTarget(url: string): string {
  return escapeText(url).replaceAll("|", "%7C").replace(SHOUT, "%40")
}

/** Ends right-to-left text with a mark, or the numbers behind it would be shown in reverse. */
export function beforeNumbers(text: string): string {
  return /[\u0590-\u08ff]/.test(text) ? `${text}\u200e` : text
}

export function count(value: number): string {
  return value.toLocaleString("en-US")
}

export function upperFirst(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Writes "1 request" or "1,200 requests". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Writes the size of a change; only what is all gone is down by 100%. */
export function percentWords(now: number, before: number): string {
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  if (percent === 0) return "under 1%"
  return percent === 100 && now > 0 && now < before ? "over 99%" : `${count(percent)}%`
}

export function mention(user: string): string {
  return `<@${user}>`
}

/** Writes "@Ada, @Ben and @Cleo". @param word between the last two */
export function mentions(users: readonly string[], word: "and" | "or" = "and"): string {
  return joinNames([...new Set(users)].map(mention), word)
}

export function joinNames(names: readonly string[], word: "and" | "or" = "and"): string {
  const last = names.at(-1) ?? ""
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${last}` : last
}

/** @param label name of the project; undefined if the bot serves only one */
export function ofProject(label: string | undefined): string {
  return label === undefined ? "" : ` for ${foreignLine(label, 40)}`
}

export function anAdmin(admins: readonly string[]): string {
  return admins.length > 0 ? mentions(admins.slice(0, 3), "or") : "an admin"
}

/** Shows a time of day near now, in the reader's own time zone. @param at ms */
export function clockTime(at: number): string {
  return date(at, "{time}")
}

/** Shows a date in the reader's own time zone. @param at ms */
export function date(at: number, format = "{date_short_pretty} at {time}"): string {
  const utc = new Date(at).toISOString().slice(0, 16).replace("T", " ")
  return `<!date^${Math.floor(at / 1000)}^${format}|${utc} UTC>`
}
