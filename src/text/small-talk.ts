/** Words to the bot that ask for no change of the docs. */
export type SmallTalk = "thanks" | "greeting" | "nod"

/** Small talk in its bare form: lower case, without punctuation and emoji. */
const SAID: Readonly<Record<SmallTalk, string>> = {
  thanks:
    "thanks, thank you, thank you so much, thanks a lot, many thanks, ok thanks, thx, ty, cheers, merci, danke, gracias, grazie, obrigado, obrigada, спасибо, 谢谢, ありがとう, ありがとうございます, 감사합니다",
  greeting:
    "hi, hi there, hello, hello there, hey, hey there, good morning, good afternoon, good evening, hola, bonjour, hallo, привет, 你好, こんにちは, test, ping",
  nod: "ok, okay, great, nice, perfect, cool, awesome, lgtm, looks good, got it",
}

const KINDS = new Map(
  Object.entries(SAID).flatMap(([kind, said]) =>
    said.split(", ").map((words) => [words, kind as SmallTalk] as const),
  ),
)

/** The longest text, code units, that can be small talk or a sub-word. */
const LONGEST = 80

/** Returns a text without case, punctuation and emoji; undefined if it is long. */
export function bare(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}]):[a-z0-9_+-]+:/gu, " ")
    .replace(/[^\p{L}\p{M}\p{N}\s-]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
}

/** Recognizes thanks, greetings and nods by a short list of exact words. Emoji alone are a nod. */
export function smallTalk(text: string): SmallTalk | undefined {
  const words = bare(text)
  if (words === "") return /[?？]/.test(text) ? "greeting" : "nod"
  return words === undefined ? undefined : KINDS.get(words)
}

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Returns whether a text has one or two words: too few to be sure that somebody wants a change. */
export function isBrief(text: string): boolean {
  if (text.trim().split(/\s+/, 3).length > 2) return false
  if (text.length > LONGEST || !UNSPACED.test(text)) return true
  const segments = new Intl.Segmenter("en", { granularity: "word" }).segment(text)
  return [...segments].filter(({ isWordLike }) => isWordLike).length <= 2
}
