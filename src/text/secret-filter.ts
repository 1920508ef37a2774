import { parseJson } from "./json.ts"

/** Filter for secrets in untrusted text: as they are, URL-encoded and JSON-escaped. */
export interface SecretFilter {
  holds: (text: string) => boolean
  /** Replaces each secret with `[secret]`. */
  clean: (text: string) => string
}

/** Minimum length of a secret to look for; a shorter one may be an ordinary word. */
const MIN_LENGTH = 5
export const MASK = "[secret]"

export const NO_SECRETS: SecretFilter = { holds: () => false, clean: (text) => text }

export function createSecretFilter(secrets: readonly string[]): SecretFilter {
  const known = secrets.filter(({ length }) => length >= MIN_LENGTH)
  if (known.length === 0) return NO_SECRETS
  // Puts the longest first, because one secret may begin with another.
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  // Ignores case, because hosts in URLs and escapes like "%2f" may have either.
  const pattern = forms.map(literally).join("|")
  const [any, all] = [new RegExp(pattern, "iu"), new RegExp(pattern, "giu")]
  return {
    holds: (text) => any.test(text),
    clean: (text) => text.replaceAll(all, MASK),
  }
}

/** Parses JSON and cleans every string in it, but no name. Returns undefined as `parseJson` does. */
export function parseCleaned(secrets: SecretFilter, text: string): unknown {
  return parseJson(text, (_, value) => (typeof value === "string" ? secrets.clean(value) : value))
}

/** Names of the fields in Slack's JSON that hold what people wrote or linked to. */
const WRITTEN = new Set(
  "text value title name fallback pretext url from_url author_name alt_text username".split(" "),
)

/** Cleans what people wrote in Slack's JSON; a weak secret may look like part of its other fields. */
export function cleanWritten<T>(secrets: SecretFilter, json: T): T {
  const text = JSON.stringify(json) ?? ""
  if (!secrets.holds(text)) return json
  return JSON.parse(text, (name, value) =>
    typeof value === "string" && WRITTEN.has(name) ? secrets.clean(value) : value,
  )
}

function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const inForm = new URLSearchParams({ s: secret }).toString().slice(2)
  return [secret, encodeURIComponent(secret), inForm, escaped, escaped.replaceAll("/", "\\/")]
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
