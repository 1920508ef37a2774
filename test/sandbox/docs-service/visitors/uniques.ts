export interface Counts {
  readonly human: number
  readonly ai: number
  readonly total: number
}

/**
 * How many different visitors stand behind a number of visits, when each visit is made by any of
 * `people` alike. It grows with the visits, ever slower, and its ceiling keeps both properties
 * that counting real people has: a longer range never has fewer uniques, and two ranges together
 * never have more than the sum of theirs.
 */
export function uniques(visits: number, people: number): number {
  return Math.ceil(-people * Math.expm1(-visits / people))
}

/**
 * Deduplicates across human and AI: `overlap`, in [0, 1), is the share of the smaller group that
 * is also in the larger one. A larger overlap never gives a larger total.
 */
export function deduplicated(human: number, ai: number, overlap: number): Counts {
  return { human, ai, total: human + ai - Math.floor(overlap * Math.min(human, ai)) }
}
