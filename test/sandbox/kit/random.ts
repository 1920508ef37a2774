/** Returns a generator of numbers in [0, 1), repeatable for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    return scramble(state) / 0x1_0000_0000
  }
}

export function unit(seed: number, a: number, b = 0): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)
  return scramble((seed ^ mixed) >>> 0) / 0x1_0000_0000
}

/** Returns one of the choices, each as likely as its share of all weights; `luck` is in [0, 1). */
export function weighted<T>(choices: readonly T[], weightOf: (one: T) => number, luck: number): T {
  let left = luck * choices.reduce((sum, one) => sum + weightOf(one), 0)
  const found = choices.find((one) => {
    left -= weightOf(one)
    return left < 0
  })
  if (found === undefined) throw new Error("There is nothing to choose from")
  return found
}

/** Returns a 32-bit hash of a text (FNV-1a over UTF-16 code units). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}
