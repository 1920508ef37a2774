/** Finds secrets in foreign text, as they are and in the forms in which such text would carry them. */
export interface SecretFilter {
  holds: (text: string) => boolean
  /** The text with `[secret]` in place of each; of the whole of it where it cannot be told apart. */
  clean: (text: string) => string
}

/** Anything shorter may be an ordinary word, found in every second sentence. */
const SHORTEST = 5
/** Encodings of encodings are looked into so deep; nothing encodes more often than that. */
const LAYERS = 3
const BLOT = "[secret]"

/** Where there are no secrets to look for. */
export const NO_SECRETS: SecretFilter = { holds: () => false, clean: (text) => text }

/** @param secrets as they are used; JSON, URLs, HTML, Slack's mrkdwn and base64 write them otherwise */
export function createSecretFilter(secrets: readonly string[]): SecretFilter {
  const known = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST)
  if (known.length === 0) return NO_SECRETS
  const needles = known.flatMap((secret) => [secret, ...formsOf(secret)])
  const lower = needles.map((needle) => needle.toLowerCase())
  const patterns = [...known.map(spellings), ...needles.map(literally)]
  const spelled = new RegExp(patterns.join("|"), "gi")

  const holds = (text: string) =>
    decodings(text.toLowerCase()).some((plain) => lower.some((needle) => plain.includes(needle)))
  return {
    holds,
    clean(text) {
      if (!holds(text)) return text
      const cleaned = text.replaceAll(spelled, BLOT)
      return holds(cleaned) ? BLOT : cleaned
    },
  }
}

/** A value of JSON with every string in it cleaned, names included. */
export function cleanJson(secrets: SecretFilter, value: unknown): unknown {
  if (typeof value === "string") return secrets.clean(value)
  if (Array.isArray(value)) return value.map((item) => cleanJson(secrets, item))
  if (typeof value !== "object" || value === null) return value
  const pairs = Object.entries(value)
  return Object.fromEntries(pairs.map(([k, v]) => [secrets.clean(k), cleanJson(secrets, v)]))
}

/** The secret's bytes, and what of their base64 does not depend on what stands around them. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const bits = 8 * before
    const whole = [Math.ceil(bits / 6), Math.floor((bits + 8 * bytes.length) / 6)] as const
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const codes = [padded.toString("base64"), padded.toString("base64url")]
    return codes.map((code) => code.slice(...whole)).filter(({ length }) => length > SHORTEST)
  })
  return [...new Set([bytes.toString("latin1"), ...inBase64])]
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
}

/**
 * Each takes one layer of encoding off a text that has the sign, in lower case. They are tried
 * apart from each other, as what one encoding writes may look like another's.
 */
const DECODERS: readonly { sign: string; decode: (text: string) => string }[] = [
  {
    sign: "%",
    decode: (text) => text.replaceAll(/%([0-9a-f]{2})/g, (_, hex: string) => character(hex, 16)),
  },
  {
    sign: "\\",
    decode: (text) =>
      text.replaceAll(
        /\\(?:u00|x)([0-9a-f]{2})|\\(["'\\/])/g,
        (_, hex?: string, escaped?: string) => escaped ?? character(hex, 16),
      ),
  },
  {
    sign: "&",
    decode: (text) =>
      text.replaceAll(
        /&(?:#x0*([0-9a-f]{1,2})|#0*(\d{1,3})|(amp|lt|gt|quot|apos));/g,
        (_, hex?: string, decimal?: string, name?: string) =>
          (name && NAMED[name]) ?? (hex ? character(hex, 16) : character(decimal, 10)),
      ),
  },
]

function character(code = "", base: number): string {
  return String.fromCharCode(Number.parseInt(code, base)).toLowerCase()
}

/** The text, and what it says when it is taken for one of the encodings, or for several on each other. */
function decodings(text: string): string[] {
  const found = [text]
  for (let [layer, from] = [0, 0]; layer < LAYERS && from < found.length; layer += 1) {
    const outermost = found.slice(from)
    from = found.length
    for (const plain of outermost)
      for (const { sign, decode } of DECODERS) {
        const inner = plain.includes(sign) ? decode(plain) : plain
        if (inner !== plain && !found.includes(inner)) found.push(inner)
      }
  }
  return found
}

/** A pattern for one secret with each of its characters as it is or in any encoding of it. */
function spellings(secret: string): string {
  return Array.from(secret).map(spellingOf).join("")
}

function spellingOf(character: string): string {
  const code = character.charCodeAt(0)
  const hex = code.toString(16).padStart(2, "0")
  const name = Object.entries(NAMED).find(([, is]) => is === character)?.[0]
  const ways = [
    `\\\\{0,7}${literally(character)}`,
    `%(?:25){0,2}${hex}`,
    `\\\\{1,8}(?:u00|x)${hex}`,
    `&(?:amp;){0,2}#(?:0*${code}|x0*${hex});`,
    ...(name ? [`&(?:amp;){0,2}${name};`] : []),
  ]
  return `(?:${ways.join("|")})`
}

function literally(text: string): string {
  return text.replaceAll(
    /[^\w]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
