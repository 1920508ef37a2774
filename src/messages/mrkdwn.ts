import { escapeText, harmless } from "../text/plain-text.ts"
import { truncate } from "../text/truncate.ts"

/** Matches words that notify a whole channel where Slack finds them in text. */
export const SHOUT = /@(?=here|channel|everyone)/gi

/**
 * Foreign text made safe for a mrkdwn text object: control characters and bidi overrides out, cut,
 * escaped, and `@`/backtick sequences broken with a zero-width space so that nothing auto-parses.
 * @param max code points before escaping; `&` grows fivefold, so stay well under a block's limit.
 */
export function foreign(text: string, max: number): string {
  return escapeText(clean(text, max)).replace(SHOUT, "@\u200b")
}

/**
 * Foreign text on one line for plain_text, raw_text and rich_text, which show characters as they are
 * and so must not be escaped. Never empty: those demand at least one character.
 */
export function plainLine(text: string, max: number): string {
  return clean(text.replace(/\s+/g, " "), max) || " "
}

/** Makes the same of text on as many lines as it has. */
export function plainLines(text: string, max: number): string {
  return clean(text, max) || " "
}

function clean(text: string, max: number): string {
  const safe = text.split("\n").map(harmless).join("\n")
  return truncate(safe.trim(), max)
}

/** Foreign text on one line. */
export function foreignLine(text: string, max: number): string {
  return foreign(text.replace(/\s+/g, " "), max)
}

/** A link whose label is foreign; `url` must have been checked to be http(s). */
export function link(url: string, label: string): string {
  return `<${linkTarget(url)}|${foreignLine(label, 150).replaceAll("|", "¦")}>`
}

/** An address as it stands in a link. Where plain text shows it without brackets it must not shout. */
export function linkTarget(url: string): string {
  return escapeText(url).replaceAll("|", "%7C").replace(SHOUT, "%40")
}

/** "1 request", "1,200 requests". */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`
}

export function mention(user: string): string {
  return `<@${user}>`
}

/** "@Ada, @Ben and @Cleo". @param word between the last two */
export function mentions(users: readonly string[], word: "and" | "or" = "and"): string {
  const all = [...new Set(users)].map(mention)
  const last = all.pop() ?? ""
  return all.length > 0 ? `${all.join(", ")} ${word} ${last}` : last
}

/** Admins shown in one sentence. */
const ADMINS_SHOWN = 3

/** Names who can help: the admins, or "an admin" where none is set. */
export function anAdmin(admins: readonly string[]): string {
  return admins.length > 0 ? mentions(admins.slice(0, ADMINS_SHOWN), "or") : "an admin"
}

/** The end of the year 9999, ms: what lies beyond is no moment that Slack can show. */
const LAST_MOMENT = 253_402_300_799_000

/** A time of day near now, in the reader's own zone. @param at ms */
export function clockTime(at: number): string {
  return date(at, "{time}")
}

/** A moment in the reader's own zone. @param at ms; what is no moment at all is shown as the nearest */
export function date(at: number, format = "{date_short_pretty} at {time}"): string {
  const moment = Math.min(Math.max(at || 0, 0), LAST_MOMENT)
  const utc = new Date(moment).toISOString().slice(0, 16).replace("T", " ")
  return `<!date^${Math.floor(moment / 1000)}^${format}|${utc} UTC>`
}
