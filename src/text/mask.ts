/** What stands in the place of something personal; likeness and words know these marks. */
export const MARKS = /\[(?:e-mail|number|secret)\]/g

/** Longer texts are cut before they are looked at, code units: at a space, so that no half is left. */
const LONGEST = 4_000

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+[@＠](?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]+/gu
/** `https://user:password@host` */
const IN_ADDRESS = /(:\/\/)[^\s/@]+@/g
/** What is said to be a password, and what is said to be a key where it looks like one. */
const PASSWORD = /\b(pass(?:word|wort|phrase|wd|code)|pwd|pin)(\s*[:=]\s*)\S+/gi
const NAMED = /\b(secret|token|key|bearer|authorization)(\s*(?:[:=]|is)?\s+|\s*[:=]\s*)(\S{8,})/gi
const PREFIXED =
  /\b(?:(?:sk|pk|rk|svc|ghp|gho|ghu|ghs|ghr|glpat|github_pat|xox[a-z]|xapp|ya29|npm|hf)[_.-][\w.-]{6,}|(?:AKIA|ASIA|AIza)[\w-]{10,}|eyJ[\w-]{8,}(?:\.[\w-]*)*)/g
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
/** Long words; which of them are no words is looked at one by one. */
const LONG_WORD = /[\w+/=-]{16,}/g
/** Nine digits and more, however they are grouped: cards, accounts, telephones, addresses of machines. */
const NUMBER = /(?<!\p{Nd})\+?\p{Nd}(?:[ ().\-/]{0,2}\p{Nd}){8,}/gu
const DATES = /^(?:\d{4}-\d{2}-\d{2}[ ./-]{0,2})+$/

/**
 * Text of a reader without what is theirs alone: e-mail addresses, keys and tokens, and numbers that
 * look like secrets have a mark in their place. It may take a harmless word with it, never the other
 * way about: what is masked is not kept anywhere.
 */
export function mask(text: string): string {
  return cut(text)
    .replace(IN_ADDRESS, "$1[secret]@")
    .replace(EMAIL, "[e-mail]")
    .replace(PREFIXED, "[secret]")
    .replace(UUID, "[secret]")
    .replace(PASSWORD, "$1$2[secret]")
    .replace(NAMED, (whole, name: string, between: string, value: string) =>
      /\d/.test(value) ? `${name}${between}[secret]` : whole,
    )
    .replace(LONG_WORD, (word) => (isSecret(word) ? "[secret]" : word))
    .replace(NUMBER, (digits) => (DATES.test(digits) ? digits : "[number]"))
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text
  const start = text.slice(0, LONGEST)
  const space = start.search(/\s\S*$/)
  return space < 0 ? "[secret]" : start.slice(0, space)
}

/** Letters and digits that change often are no word of any language, nor the name of a page. */
function isSecret(word: string): boolean {
  const changes = word.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  if (changes >= 3) return true
  const mixed = /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word)
  return mixed && word.length >= 32 && !word.startsWith("/")
}
