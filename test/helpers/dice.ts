import { seededRandom } from "../sandbox/kit/random.ts"

export interface Dice {
  chance(p: number): boolean
  /** Returns a number from `low` (inclusive) to `high` (exclusive). */
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
