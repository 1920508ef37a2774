import type { Readers, Visits } from "./traffic.ts"

export interface Counts {
  readonly human: number
  readonly ai: number
  readonly total: number
}

/**
 * Counts visitors without duplicates. `overlap`, in [0, 1), is the fraction of the smaller group that
 * is also in the larger one: a larger overlap never gives a larger total.
 */
export function uniquesOf(visits: Visits, { people, overlap }: Readers): Counts {
  const human = uniques(visits.human, people.human)
  const ai = uniques(visits.ai, people.ai)
  return { human, ai, total: human + ai - Math.floor(overlap * Math.min(human, ai)) }
}

/**
 * Returns the expected number of different visitors if each visit is made by one of `people` at
 * random. It grows ever more slowly and, like a count of real people, never has fewer uniques in a
 * longer range, nor more in two ranges together than their sum.
 */
function uniques(visits: number, people: number): number {
  return Math.ceil(-people * Math.expm1(-visits / people))
}
