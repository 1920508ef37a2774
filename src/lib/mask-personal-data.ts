/** Maximum length in code units; longer text is cut between two words before patterns apply. */
const MAX_LENGTH = 500

// Every pattern below takes linear time: the preceding characters fix where it may begin, and the
// text between two of its parts is limited.
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+ ?(?:@|[([{]at[)\]}]) ?(?:[\p{L}\p{N}%-]+(?:\.| ?[([{]dot[)\]}] ?))+[\p{L}\p{N}-]+/giu
/** Matches the password of `https://user:password@host`. */
const IN_ADDRESS = /(:\/\/)[^ /@]+@/g
const SECRET_NAME =
  "(?<![A-Za-z0-9])(?:[A-Za-z0-9_-]{0,30}?(?:pass(?:word|wort|phrase|wd|code)|pwd|pin|secret|token|key|bearer|authorization|credentials?)|(?:[A-Za-z0-9_-]{0,30}[_-])?pass(?![A-Za-z0-9]))"
/** Matches whatever is assigned, as in `api_key=…`, `?access_token=…` and `password: …`. */
const ASSIGNED = new RegExp(
  `(${SECRET_NAME}[A-Za-z0-9_-]{0,10}["']? ?[:=] ?)(?:bearer )?[^ &]+`,
  "gi",
)
/** Matches the word after `my password is`, whatever it is. */
const PASSWORD_IS = /\b(pass(?:word|wort|phrase|wd|code)|pwd|pin)( is | ist |'s )[^ ]+/gi
/** Matches `token abc123…`, if the last word looks like a secret. */
const NAMED = /\b(secret|token|key|bearer|authorization)( is | )([^ ]{8,})/gi
const PREFIXED =
  /\b(?:(?:sk|pk|rk|svc|ghp|gho|ghu|ghs|ghr|glpat|github_pat|xox[a-z]|xapp|ya29|npm|hf)[_.-][\w.-]{6,}|(?:AKIA|ASIA|AIza)[\w-]{10,}|eyJ[\w-]{8,}(?:\.[\w-]*)*)/g
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
/** Matches long words; `isSecret` decides about each of them. */
const LONG_WORD = /[\w+/=-]{16,}/g
/** Matches nine or more digits, however grouped: card and phone numbers, IP addresses. */
const NUMBER = /(?<!\p{Nd})[+]?\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){8,}/gu
const DATES = /^(?:\d{4}-\d{2}-\d{2}[ ./-]{0,2})+$/

/** Masks personal data in readers' text. Knows only patterns: may mask too much or too little. */
export function maskReaderText(text: string): string {
  const masked = withoutSecrets(beginningOf(text))
  const plain = plainForm(masked)
  const again = withoutSecrets(plain)
  return again === plain ? masked : again
}

/** Writes out what only looks different, such as `%40` for @, or has invisible characters in it. */
function plainForm(words: string): string {
  return words
    .replaceAll(/%(?:25)*([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/\s+/g, " ")
}

function withoutSecrets(words: string): string {
  return words
    .replace(IN_ADDRESS, "$1[secret]@")
    .replace(EMAIL, "[email]")
    .replace(PREFIXED, "[secret]")
    .replace(UUID, "[secret]")
    .replace(ASSIGNED, "$1[secret]")
    .replace(PASSWORD_IS, "$1$2[secret]")
    .replace(NAMED, (whole, name: string, between: string, value: string) =>
      /\d/.test(value) ? `${name}${between}[secret]` : whole,
    )
    .replace(LONG_WORD, (word) => (isSecret(word) ? "[secret]" : word))
    .replace(NUMBER, (digits) => (DATES.test(digits) ? digits : "[number]"))
}

function beginningOf(text: string): string {
  const words = text
    .slice(0, 4 * MAX_LENGTH)
    .trim()
    .split(/\s+/)
  const whole = words.join(" ")
  if (whole.length <= MAX_LENGTH && text.length <= 4 * MAX_LENGTH) return whole
  const end = whole.slice(0, MAX_LENGTH).lastIndexOf(" ")
  return end < 0 ? "[secret]" : whole.slice(0, end)
}

/** Returns whether letters and digits alternate too often for language or a page's name. */
function isSecret(word: string): boolean {
  const changes = word.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  if (changes >= 3) return true
  const mixed = /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word)
  return mixed && word.length >= 32 && !word.startsWith("/")
}
