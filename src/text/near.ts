/** Longer words are no slips of ours; the table below grows with the length. Code units. */
const LONGEST = 20

/**
 * The word of ours that a typed one is a slip for: one letter too many, too few, wrong or swapped; in words
 * of six letters and more, two of these.
 */
export function nearest(typed: string, ours: readonly string[]): string | undefined {
  if (typed.length < 3 || typed.length > LONGEST || ours.includes(typed)) return undefined
  const [best] = ours
    .map((word) => ({ word, slips: slips(typed, word) }))
    .filter(({ word, slips: count }) => count <= (word.length < 6 ? 1 : 2))
    .toSorted((a, b) => a.slips - b.slips)
  return best?.word
}

function slips(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, n) => n)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change)
      rows[i]?.push(isSwap ? Math.min(least, at(i - 2, j - 2) + 1) : least)
    }
  }
  return at(a.length, b.length)
}
