/** Longer words are no slips of ours. Code units. */
const LONGEST = 20

/** The word of ours that a typed one is a slip for: one letter too many, too few, wrong or swapped. */
export function nearest(typed: string, ours: readonly string[]): string | undefined {
  if (typed.length < 3 || typed.length > LONGEST || ours.includes(typed)) return undefined
  const cuts = new Set(cutsOf(typed))
  return ours.find((word) => cutsOf(word).some((cut) => cuts.has(cut)))
}

/** A word, and it without each of its letters: two words that are a slip apart have one of these in common. */
function cutsOf(word: string): string[] {
  return [
    word,
    ...Array.from({ length: word.length }, (_, n) => word.slice(0, n) + word.slice(n + 1)),
  ]
}
