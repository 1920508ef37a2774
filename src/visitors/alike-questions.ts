/** Words that questions share and that say nothing about their subject, in several languages. */
const COMMON = new Set(
  `a about after an and any are as at be by can could do does for from get guide have help how i in
  is it my need of often on or our should set that the there this times to up use user users want
  was we what when where which who why will with work would you your many

  auf bei das dem den der die ein eine einem einen einer es für ich ist kann kannst können mein meine
  meinen mich mir mit muss sich sind soll und von wann warum was welche wenn werden wie wird wo zu zum zur

  au avec ce ces comment dans de des du elle en est et il je l la le les ma mes mon où par peut peux
  pour pourquoi puis quand que quel quelle qui quoi sur un une

  al cómo como con cuál cuándo de del dónde el es está hacer hay las lo los mi para por porque puede
  puedo qué que se son su una y

  ao aos as com da das do dos eu fazer meu minha na nas o onde os pela pelo por posso qual quando são
  uma é`.split(/\s+/),
)
/** Scripts that are written without spaces, whose words are compared by pairs of characters. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u
/** Share of all words that two texts must have in common to say the same. */
const ALIKE = 0.6

/**
 * Groups texts that say the same in other words, in the order of their first texts. Leaves out
 * fully masked texts, which say nothing about the docs.
 */
export function bySubject<T extends { text: string }>(all: readonly T[]): [T, ...T[]][] {
  const subjects: { words: Set<string>; group: [T, ...T[]] }[] = []
  const byWord = new Map<string, typeof subjects>()
  for (const one of all) {
    const bare = bareWords(one.text)
    if (bare === "") continue
    const words = subjectOf(bare)
    const candidates = new Set([...words].flatMap((word) => byWord.get(word) ?? []))
    const known = [...candidates].find((subject) => isAlike(subject.words, words))
    if (known) {
      known.group.push(one)
      continue
    }
    const subject: (typeof subjects)[number] = { words, group: [one] }
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), subject])
    subjects.push(subject)
  }
  return subjects.map(({ group }) => group)
}

/** Returns a text's words in lower case, without masks and punctuation. */
export function bareWords(text: string): string {
  const bare = text.normalize("NFKC").toLowerCase()
  const words = bare.replaceAll(/\[(?:email|number|secret)\]/g, " ").match(/[\p{L}\p{N}]+/gu)
  return words?.join(" ") ?? ""
}

/** Returns the words that a text is about, without common ones and endings; all if none is left. */
function subjectOf(bare: string): Set<string> {
  const words = bare.split(" ").flatMap((word) => (UNSPACED.test(word) ? pairsIn(word) : [word]))
  const telling = words.filter((word) => !COMMON.has(word))
  return new Set((telling.length > 0 ? telling : words).map(stem))
}

function stem(word: string): string {
  if (word.length < 5) return word.replace(/(?<=..)s$/, "")
  return word.replace(/(?:ies|ied|ing|ed|es|s|y|e)$/, "")
}

function pairsIn(word: string): string[] {
  const signs = Array.from(word)
  return signs.length < 2 ? signs : signs.slice(1).map((sign, n) => `${signs[n]}${sign}`)
}

function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const common = [...one].filter((word) => other.has(word)).length
  return common >= ALIKE * (one.size + other.size - common)
}
