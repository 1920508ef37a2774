/** The text a person typed, from the text Slack delivers (which carries the three escapes). */
export function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
}

/**
 * Escapes text for Slack, `&` first. These three escapes alone defeat mentions, links and dates in
 * foreign text.
 */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

/**
 * Foreign text on one line, without characters that control a terminal or change the direction of
 * text, and without halves of characters: "the behavior of software that receives" those is
 * "unpredictable" (RFC 8259, 8.2).
 */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, " ")
}

/**
 * Ids of the people mentioned in a message's text. A label holds no bracket, as Slack escapes them;
 * without that rule a text full of unclosed mentions would take quadratic time.
 */
export function mentionedUsers(text: string): string[] {
  return [...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1] ?? "")
}

/**
 * The text a person typed, from the text of a Slack message: mentions become names, links their
 * addresses, escapes their characters.
 */
export function toPlainText(text: string, nameOf: ReadonlyMap<string, string>): string {
  const spelled = text.replace(/<([^<>]*)>/g, (whole, inside: string) => {
    const [target = "", label] = inside.split("|", 2)
    // Of a channel that the bot is not in, Slack leaves the name empty.
    const id = target.slice(1)
    if (target.startsWith("@")) return `@${nameOf.get(id) ?? (label || id)}`
    if (target.startsWith("#")) return `#${label || id}`
    if (target.startsWith("!")) return label || `@${id.split("^")[0]}`
    if (/^(https?|mailto):/.test(target))
      return label && label !== target ? `${label} (${target})` : target
    return whole
  })
  return unescapeText(spelled)
}

/**
 * Returns what a person typed after a command. Where an admin of Slack had commands escaped, people, channels
 * and links come as markup, with their names; otherwise as typed.
 */
export function typedText(text: string): string {
  return toPlainText(text, new Map())
}

/** A mention's words: what is left when the bot's own name is taken out. */
export function withoutMention(text: string, bot: string): string {
  return text.replaceAll(new RegExp(`<@${bot}(\\|[^<>]*)?>`, "g"), " ").trim()
}

/** Matches the end of a line as Unicode has it (UAX #14, mandatory breaks): an agent may as well. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Quotes text: every line of it is marked, so that no word in it stands outside. */
export function quoteLines(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => `> ${line}`)
    .join("\n")
}
