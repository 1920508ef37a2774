import { isObject, type JsonObject, objectsIn, stringIn } from "./kit/json.ts"
import { type Shown, walk } from "./slack/index.ts"

/** Mentions of many people: `<!channel>`, `<!here|here>`, `<!everyone>` and user groups. */
const CALLS_MANY = /<!(?:channel|here|everyone|subteam\^[^>]*)(?:\|[^>]*)?>/

/** Bare @name or #channel, outside <…> and not inside a word as in an email address. */
const BARE_MENTION = /(?:^|[^\w<&/.#@])[@#][\p{L}\p{N}][\p{L}\p{N}_.-]*/u

/** Maximum bytes of a private message, which nobody can scroll back to. */
const PRIVATE_BYTES = 4_000

/** Describes violations of our rules that Slack accepts. */
export function houseRules(shown: Shown): string[] {
  if ("view" in shown) return blockViolations(objectsIn(shown.view.blocks))
  const { by, message, inOwnDirectMessage } = shown
  if (inOwnDirectMessage !== undefined) return privateViolations(message, inOwnDirectMessage)
  return [...messageViolations(message), ...(by === "chat.postMessage" ? unfurls(message) : [])]
}

function messageViolations(args: JsonObject): string[] {
  const blocks = objectsIn(args.blocks)
  const text = stringIn(args, "text") ?? ""
  const found: string[] = []
  if (blocks.length > 0 && text.trim() === "") {
    found.push("blocks without `text`: screen readers and notifications get nothing")
  }
  for (const name of ["link_names", "parse", "reply_broadcast"]) {
    const value = args[name] ?? "none"
    if (value !== "none") found.push(`\`${name}\` can mention people or repeat a reply`)
  }
  if (CALLS_MANY.test(text)) found.push(`a live mention of many people in \`text\`: ${quote(text)}`)
  const missing = missingIn(text, blocks)
  if (missing.length > 0)
    found.push(`words of the blocks that \`text\` lacks: ${missing.join(" ")}`)
  for (const [, url = ""] of isCut(text) ? [] : JSON.stringify(blocks).matchAll(/"url":"([^"]+)"/g))
    if (!text.includes(url)) found.push(`an address that \`text\` lacks: ${url}`)
  return [...found, ...blockViolations(blocks)]
}

/** Blocks and elements without words of their own in `text`: controls, and numbers in columns. */
const WORDLESS = new Set(["actions", "button", "data_table", "data_visualization", "table"])

/** Returns what people read in blocks, top to bottom, without controls and columns of numbers. */
function wordsIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(wordsIn)
  if (!isObject(part) || WORDLESS.has(stringIn(part, "type") ?? "")) return []
  const own = stringIn(part, "text")
  return own === undefined ? Object.values(part).flatMap(wordsIn) : [own]
}

/** Returns the words of blocks that a screen reader misses, because it reads `text` alone. */
function missingIn(text: string, blocks: readonly JsonObject[]): string[] {
  const said = wordsOf(text)
  const left = countsOf(said)
  const shown = wordsOf(wordsIn(blocks).join("\n"))
  return (isCut(text) ? reached(shown, said) : shown).filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count <= 0
  })
}

/** Returns what blocks say before the last three words in a row that they have of a cut text. */
function reached(shown: readonly string[], said: readonly string[]): string[] {
  const all = ` ${shown.join(" ")} `
  for (let end = said.length; end >= 3; end -= 1) {
    const at = all.indexOf(` ${said.slice(end - 3, end).join(" ")} `)
    if (at >= 0) return wordsOf(all.slice(0, at))
  }
  return []
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Returns whether a text is so long that it may end before the blocks do. */
function isCut(text: string): boolean {
  return Buffer.byteLength(text) > 3_800
}

function wordsOf(mrkdwn: string): string[] {
  return asRead(mrkdwn).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns mrkdwn with links and dates as people read them, and without entities and emoji. */
function asRead(mrkdwn: string): string {
  return mrkdwn
    .replace(/<!date[^|>]*\|([^>]*)>/g, "$1")
    .replace(/<https?:[^|>]*\|([^>]*)>/g, "$1")
    .replace(/&lt;|&gt;|&amp;|:[a-z_]+:/g, " ")
}

/** Describes violations in a message for one person, which Slack drops at the next reload. */
function privateViolations(message: JsonObject, inOwnDirectMessage: boolean): string[] {
  const text = stringIn(message, "text") ?? ""
  const found: string[] = []
  if (inOwnDirectMessage) {
    found.push(`an ephemeral message in the bot's own direct message: ${quote(text)}`)
  }
  const shown = wordsIn(message.blocks).join("\n") || text
  const bytes = Buffer.byteLength(asRead(shown).replace(/<@\w+>/g, "@name"))
  if (bytes > PRIVATE_BYTES) found.push(`a private answer of ${bytes} bytes: ${quote(text)}`)
  return found
}

/** Describes links that could unfurl, which only chat.postMessage can prevent. */
function unfurls(args: JsonObject): string[] {
  return ["unfurl_links", "unfurl_media"]
    .filter((name) => !isFalse(args[name]))
    .map((name) => `\`${name}\` is not false`)
}

function blockViolations(blocks: readonly JsonObject[]): string[] {
  const found: string[] = []
  walk([...blocks], (object, pointer) => {
    const text = stringIn(object, "text") ?? ""
    const at = `at ${pointer}`
    // Slack interprets nothing else: plain_text and rich_text show the characters.
    if (object.type !== "mrkdwn") return
    if (CALLS_MANY.test(text)) found.push(`a live mention of many people ${at}: ${quote(text)}`)
    const bare = text.replaceAll(/<[^>]*>/g, " ")
    if (object.verbatim !== true && BARE_MENTION.test(bare)) {
      found.push(`mrkdwn that parses as a mention without \`verbatim: true\` ${at}: ${quote(text)}`)
    }
  })
  return found
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
}

function isFalse(value: unknown): boolean {
  return value === false || value === "false" || value === "0"
}
