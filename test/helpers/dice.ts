import { seededRandom } from "../sandbox/kit/random.ts"

export type Dice = ReturnType<typeof dice>

export function dice(seed: number) {
  const random = seededRandom(seed)
  return {
    chance: (p: number) => random() < p,
    /** Returns a number from `low` (inclusive) to `high` (exclusive). */
    between: (low: number, high: number) => low + random() * (high - low),
    pick: <T>(list: readonly [T, ...T[]]) => list[Math.floor(random() * list.length)] ?? list[0],
  }
}
