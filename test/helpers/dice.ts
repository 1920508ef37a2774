import { seededRandom } from "../sandbox/kit/random.ts"

/** A seeded source of chance. */
export interface Dice {
  /** True with this probability. */
  chance(p: number): boolean
  /** From `low` up to, without, `high`. */
  between(low: number, high: number): number
  pick<T>(list: readonly [T, ...T[]]): T
}

export function dice(seed: number): Dice {
  const random = seededRandom(seed)
  return {
    chance: (p) => random() < p,
    between: (low, high) => low + random() * (high - low),
    pick: (list) => list[Math.floor(random() * list.length)] ?? list[0],
  }
}
