import { createHash } from "node:crypto"
import { mapStrings, parseJson } from "./json.ts"
import { escapeText } from "./plain-text.ts"

/** Value that prints as `[secret]` and serializes to `{}`, so that no log or record contains it. */
export interface Secret {
  reveal(): string
  toString(): string
}

export function secret(value: string): Secret {
  return Object.defineProperties({} as Secret, {
    reveal: { value: () => value },
    toString: { value: () => "[secret]" },
  })
}

/** Returns a hash that identifies a key, so that Redis can store which key was refused. */
export function fingerprint(key: Secret): string {
  return createHash("sha256").update(`docs-agent print ${key.reveal()}`).digest("hex").slice(0, 16)
}

/** Filter for secrets in untrusted text: as they are, URL-encoded and JSON-escaped. */
export interface SecretFilter {
  holds: (text: string) => boolean
  /** Replaces each secret with `[secret]`. */
  clean: (text: string) => string
  /** Does so in what a person wrote, where a password that is a word means only the word. */
  cleanWritten: (text: string) => string
}

/** Minimum length of a secret to look for; a shorter one may be an ordinary word. */
const MIN_LENGTH = 5
const MASK = "[secret]"

const same = (text: string) => text
export const NO_SECRETS: SecretFilter = { holds: () => false, clean: same, cleanWritten: same }

export function createSecretFilter(secrets: readonly string[]): SecretFilter {
  const known = secrets.filter(({ length }) => length >= MIN_LENGTH)
  if (known.length === 0) return NO_SECRETS
  const [all, unlikeWords] = [patternOf(known), patternOf(known.filter((one) => !WORD.test(one)))]
  return {
    holds: (text) => text.search(all) >= 0,
    clean: (text) => text.replaceAll(all, MASK),
    cleanWritten: (text) => text.replaceAll(unlikeWords, MASK),
  }
}

/** Returns whether a filter may have replaced a secret in this text. */
export function wasCleaned(text: string): boolean {
  return text.includes(MASK)
}

/** Pattern of a secret that may be an ordinary word, such as a database's "password". */
const WORD = /^\p{L}{1,15}$/u

function patternOf(secrets: readonly string[]): RegExp {
  if (secrets.length === 0) return /(?!)/g
  // Puts the longest first, because one secret may begin with another.
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  // Ignores case, because hosts in URLs and escapes like "%2f" may have either.
  return new RegExp(forms.map(literally).join("|"), "giu")
}

/** Parses JSON and cleans every string in it, but no name. Returns undefined as `parseJson` does. */
export function parseCleaned(secrets: SecretFilter, text: string): unknown {
  return mapStrings(parseJson(text), secrets.clean)
}

/** Names of the fields in Slack's JSON that hold what people wrote or linked to. */
const WRITTEN = new Set(
  "text value title name fallback pretext url from_url author_name alt_text username".split(" "),
)

/** Cleans what people wrote in Slack's JSON; a weak secret may look like part of its other fields. */
export function cleanJson<T>(secrets: SecretFilter, json: T): T {
  const text = JSON.stringify(json) ?? ""
  if (!secrets.holds(text)) return json
  return JSON.parse(text, (name, value) =>
    typeof value === "string" && WRITTEN.has(name) ? secrets.cleanWritten(value) : value,
  )
}

function formsOf(secret: string): string[] {
  const inForm = new URLSearchParams({ s: secret }).toString().slice(2)
  // Slack's payloads are JSON that holds text with Slack's own escapes.
  return [secret, encodeURIComponent(secret), inForm, escapeText(secret)].flatMap((form) => {
    const inJson = JSON.stringify(form).slice(1, -1)
    return [form, inJson, inJson.replaceAll("/", "\\/")]
  })
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
