export function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
}

/** Escapes text for Slack, `&` first. These three escapes defeat mentions, links and dates. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

/**
 * Removes characters that control a terminal, line ends included, or change the direction of text,
 * and lone surrogates, which make "the behavior of software" "unpredictable" (RFC 8259, 8.2).
 */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, " ")
}

/** Returns whether a text shows nothing; Braille's empty pattern is the only symbol that does so. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/**
 * Returns the ids of people mentioned in a message's text. Slack escapes brackets in labels; if the
 * pattern allowed any, a text full of unclosed mentions would take quadratic time.
 */
export function mentionedUsers(text: string): string[] {
  return [...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1] ?? "")
}

/**
 * Turns a Slack message's text into what the person typed: mentions become names, links become
 * URLs, and escapes become characters. A command's text has such markup only if a Slack admin
 * turned escaping on for the command.
 */
export function toPlainText(text: string, nameOf: ReadonlyMap<string, string> = new Map()): string {
  // A label may have bars of its own, as titles of pages do.
  const markup = /<([^<>|]*)(?:\|([^<>]*))?>/g
  const spelled = text.replace(markup, (whole, target: string, label: string | undefined) => {
    // Slack leaves the name empty if the bot is not in the channel.
    const id = target.slice(1)
    if (target.startsWith("@")) return `@${nameOf.get(id) ?? (label || id)}`
    if (target.startsWith("#")) return `#${label || id}`
    // Events name a user group by its id alone.
    if (target.startsWith("!subteam^")) return label || "a user group"
    if (target.startsWith("!")) return label || `@${id.split("^")[0]}`
    const link = /^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:)(.*)$/i.exec(target)
    if (!link) return whole
    // Slack links whatever looks like an address, `README.md` too, and adds the scheme.
    return label && label !== target && label !== link[1] ? `${label} (${target})` : label || target
  })
  return unescapeText(spelled)
}

export function withoutMention(text: string, bot: string): string {
  return text.replaceAll(new RegExp(`<@${bot}(\\|[^<>]*)?>`, "g"), " ").trim()
}
