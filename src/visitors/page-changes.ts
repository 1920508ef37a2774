import type { PageVisitors } from "../docs-service/answers.ts"

export interface Mover {
  path: string
  now: number
  before: number
}

/** Maximum entries of the list, so that people see all of them at a glance. */
const MAX_LIST = 10
/** Minimum change worth a line, in visitors. */
const FLOOR = 10

interface Sample {
  rows: readonly PageVisitors[]
  /** True if the sample contains every page of the range. */
  whole: boolean
}

/**
 * Lists the pages that changed most between two periods, in visitors, largest change first.
 * Leaves out changes that may be chance: those under `FLOOR`, or under twice the usual spread of
 * two such counts (the square root of their sum). A missing page has 0 visitors only in a whole
 * sample.
 * @param longer by how much the later period is longer; the earlier counts are scaled to it
 */
export function changes(now: Sample, before: Sample, longer = 1): Mover[] {
  const scaled = (total: number) => Math.round(total * longer)
  const earlier = new Map(before.rows.map(({ path, total }) => [path, scaled(total)]))
  const later = new Map(now.rows.map(({ path, total }) => [path, total]))
  const movers: Mover[] = []
  for (const [path, count] of later) {
    const was = earlier.get(path) ?? (before.whole ? 0 : undefined)
    if (was !== undefined) movers.push({ path, now: count, before: was })
  }
  if (now.whole)
    for (const [path, was] of earlier)
      if (!later.has(path)) movers.push({ path, now: 0, before: was })
  const real = movers.filter(isReal).toSorted((a, b) => difference(b) - difference(a))
  return real.slice(0, MAX_LIST)
}

function isReal(mover: Mover): boolean {
  const size = difference(mover)
  return size >= FLOOR && size >= 2 * Math.sqrt(mover.now + mover.before)
}

function difference({ now, before }: Mover): number {
  return Math.abs(now - before)
}
