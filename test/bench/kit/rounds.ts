import type { Extent, Goal, Row, Spread, Unit } from "./bench.ts"

/** The figures of one round by key. */
export type Sample = Readonly<Record<string, number>>

export interface Pair {
  reference: Sample
  ours: Sample
}

/**
 * Reference and ours in turn, so that a slow minute of the machine hits both; which goes first
 * alternates too. One unmeasured round before warms both up.
 */
export async function alternate(
  { rounds }: Pick<Extent, "rounds">,
  reference: () => Promise<Sample>,
  ours: () => Promise<Sample>,
): Promise<Pair[]> {
  await reference()
  await ours()
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await reference()
      pairs.push({ reference: first, ours: await ours() })
    } else {
      const first = await ours()
      pairs.push({ ours: first, reference: await reference() })
    }
  }
  return pairs
}

/** One figure of alternating rounds as a line. */
export function compare(
  pairs: readonly Pair[],
  key: string,
  what: string,
  unit: Unit,
  goal?: Goal,
): Row {
  const reference = pairs.map((pair) => pair.reference[key] ?? Number.NaN)
  const ours = pairs.map((pair) => pair.ours[key] ?? Number.NaN)
  return {
    key,
    what,
    unit,
    reference: median(reference),
    ours: median(ours),
    ratio: spread(ours.map((figure, i) => figure / (reference[i] ?? Number.NaN))),
    ...(goal ? { goal } : {}),
  }
}

/** One figure that has no reference. */
export function alone(key: string, what: string, unit: Unit, ours: number, goal?: Goal): Row {
  return { key, what, unit, ours, ...(goal ? { goal } : {}) }
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

function spread(figures: readonly number[]): Spread {
  return { median: median(figures), min: Math.min(...figures), max: Math.max(...figures) }
}
