import { MARKS } from "../../text/mask.ts"

/** Words that say nothing about what is asked. */
const SMALL_WORDS = new Set(
  `a an the this that these those it its is are was were be been am do does did done can could will
  would should shall may might must have has had i me my we us our you your he she they them their of
  in on at to for from with by about into as and or if but so than then there here how what which who
  whom when where why much please help any some not no yes hi hello get got`.split(/\s+/),
)
/** Writing without spaces: there every two characters are taken for a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]+/gu
/** More words of one question tell nothing more about it. */
const MOST_WORDS = 40
/** Share of words that two texts have in common, from which on they are alike. */
const ALIKE = 0.6
/** A word of so many groups tells none of them apart; looking there would only take time. */
const TOO_COMMON = 400

/** What a text is about, as a set of words in their plainest form. */
export function wordsOf(text: string): Set<string> {
  const plain = text.replaceAll(MARKS, " ").normalize("NFKC").toLowerCase()
  const pairs = [...plain.matchAll(UNSPACED)].flatMap(([run]) => pairsOf(run))
  const spaced = plain.replaceAll(UNSPACED, " ").match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = spaced.filter((word) => !SMALL_WORDS.has(word))
  const words = telling.length + pairs.length > 0 ? telling : spaced
  return new Set([...words.map(stem), ...pairs].slice(0, MOST_WORDS))
}

function pairsOf(run: string): string[] {
  const letters = Array.from(run)
  if (letters.length === 1) return letters
  return letters.slice(1).map((letter, n) => `${letters[n]}${letter}`)
}

/** Without the endings that English gives a word in a sentence. */
function stem(word: string): string {
  if (word.length < 4) return word
  const bare = word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s)$/, "")
  return bare.length < 3 ? word : bare.replace(/e$/, "")
}

/** Groups of texts that are alike, in the order in which they are first met. */
export class Groups<T> {
  readonly #groups: { words: ReadonlySet<string>; members: T[] }[] = []
  readonly #byWord = new Map<string, number[]>()

  /** Joins the group whose first text is most alike, or begins one. */
  add(words: ReadonlySet<string>, member: T): void {
    const found = this.#mostAlike(words)
    if (found) found.members.push(member)
    else this.#begin(words, member)
  }

  get all(): T[][] {
    return this.#groups.map(({ members }) => members)
  }

  #mostAlike(words: ReadonlySet<string>) {
    const inCommon = new Map<number, number>()
    for (const word of words)
      for (const n of this.#byWord.get(word) ?? []) inCommon.set(n, (inCommon.get(n) ?? 0) + 1)
    let best: { likeness: number; n: number } | undefined
    for (const [n, common] of inCommon) {
      const size = words.size + (this.#groups[n]?.words.size ?? 0)
      const likeness = (2 * common) / size
      if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { likeness, n }
    }
    return best && this.#groups[best.n]
  }

  #begin(words: ReadonlySet<string>, member: T): void {
    const n = this.#groups.push({ words, members: [member] }) - 1
    for (const word of words) {
      const known = this.#byWord.get(word)
      if (!known) this.#byWord.set(word, [n])
      else if (known.length < TOO_COMMON) known.push(n)
    }
  }
}
