/** Returns the known word that differs by one extra, missing, wrong or swapped letter, if any. */
export function nearest(typed: string, ours: readonly string[]): string | undefined {
  if (typed.length < 3 || typed.length > 20 || ours.includes(typed)) return undefined
  const cuts = new Set(cutsOf(typed))
  return ours.find((word) => cutsOf(word).some((cut) => cuts.has(cut)))
}

/** Lists a word and its forms without one letter; words that are one typo apart share one. */
function cutsOf(word: string): string[] {
  const cuts = Array.from({ length: word.length }, (_, n) => word.slice(0, n) + word.slice(n + 1))
  return [word, ...cuts]
}
