/** How much of a measurement to make: `quick` is for working on a benchmark, not for its figures. */
export interface Extent {
  /** Rounds of reference and ours in turn. */
  rounds: number
  /** Multiplies the work of one round, 1 in a real run. */
  share: number
}

export const FULL: Extent = { rounds: 5, share: 1 }
export const QUICK: Extent = { rounds: 2, share: 0.1 }

/** What a figure is held against. */
export type Goal = { atLeast: number } | { atMost: number }

export interface Spread {
  median: number
  min: number
  max: number
}

/** One line of a benchmark's table: a figure of ours, with its reference where there is one. */
export interface Row {
  /** Stable name of the figure, for readers of the JSON. */
  key: string
  what: string
  unit: Unit
  reference?: number
  ours: number
  /** Ours over the reference, of each round. */
  ratio?: Spread
  /** Holds the ratio where there is one, else the figure itself. */
  goal?: Goal
}

export type Unit = "/s" | "ms" | "µs" | "s" | "B" | "MB" | "GB" | "%" | "" | "polls"

export interface Figures {
  rows: Row[]
  /** What a reader must know to judge the rows. */
  notes: string[]
}

export interface Bench {
  title: string
  needsRedis: boolean
  needsChromium?: true
  run(extent: Extent): Promise<Figures>
}

export function isMet({ goal, ratio, ours }: Row): boolean {
  const held = ratio?.median ?? ours
  if (!goal) return true
  // Of another process it comes as null.
  if (held === null || Number.isNaN(held)) return false
  return "atLeast" in goal ? held >= goal.atLeast : held <= goal.atMost
}
