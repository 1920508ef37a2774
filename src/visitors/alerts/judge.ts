/** How a closed day stands against what its weekday usually is. */
export type Verdict =
  | { kind: "usual"; usual: number }
  | { kind: "odd"; direction: Direction; usual: number }
  /** Nothing can be said: too few weeks are known, too few people came, or nobody did. */
  | { kind: "unknown" }

export const directions = ["spike", "drop"] as const
export type Direction = (typeof directions)[number]

/** Weeks that a day is held against, and how many of them must be known. */
export const WEEKS = 8
const FEWEST_WEEKS = 4
/** Where a weekday usually has fewer visitors, chance alone halves and doubles it. */
const SMALLEST = 50
/** Smallest change that counts, as a factor. */
const SPIKE = 1.6
const DROP = 0.66
/** How many spreads of the weeks before a change has to be. */
const SPREADS = 2.4
/** A median absolute deviation times this is a standard deviation, where chance is normal. */
const NORMAL = 1.4826

/**
 * Holds a day against the same weekday of the weeks before: the median of these, and their median
 * absolute deviation, both of logarithms, as doubling and halving are then equally far. One odd week
 * among them changes neither. A day without any visitor counts as one without data, here and among the
 * weeks before. Pure.
 */
export function judge(visitors: number, before: readonly number[]): Verdict {
  const known = before.filter((count) => count > 0)
  if (known.length < FEWEST_WEEKS || visitors <= 0) return { kind: "unknown" }
  const usual = median(known)
  if (usual < SMALLEST) return { kind: "unknown" }
  const change = Math.log(visitors / usual)
  const spread = NORMAL * median(known.map((count) => Math.abs(Math.log(count / usual))))
  // The weeks may agree by luck; counts of this size differ by their square root all the same.
  const enough = SPREADS * Math.max(spread, 1 / Math.sqrt(usual))
  if (change >= Math.max(Math.log(SPIKE), enough)) return { kind: "odd", direction: "spike", usual }
  if (change <= -Math.max(-Math.log(DROP), enough)) return { kind: "odd", direction: "drop", usual }
  return { kind: "usual", usual }
}

function median(counts: readonly number[]): number {
  const sorted = counts.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
