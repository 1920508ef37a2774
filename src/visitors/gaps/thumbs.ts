import type { PageThumbs, PageVisitors } from "../../ports/docs-api.ts"

/** A page that readers say does not help. */
export interface PoorPage {
  path: string
  up: number
  down: number
  /** People who read it; absent where the export did not show the page. */
  readers?: number
}

/** A single thumb may be anything. */
const FEWEST_DOWN = 2
/** Share of thumbs that are down. */
const POOR = 0.5

/**
 * Pages with more thumbs down than up, by how many readers that stands for: the page's readers times
 * the share of thumbs that are down. Pure.
 * @param visitors as many pages of the export as were read
 */
export function poorPages(
  thumbs: readonly PageThumbs[],
  visitors: readonly PageVisitors[],
): PoorPage[] {
  const readers = new Map(visitors.map(({ path, human }) => [path, human]))
  return thumbs
    .filter(({ up, down }) => down >= FEWEST_DOWN && down >= POOR * (up + down))
    .map(({ path, up, down }) => {
      const count = readers.get(path)
      return { path, up, down, ...(count === undefined ? {} : { readers: count }) }
    })
    .toSorted(
      (a, b) => concerned(b) - concerned(a) || b.down - a.down || (a.path < b.path ? -1 : 1),
    )
}

function concerned({ up, down, readers }: PoorPage): number {
  return Math.max(down, ((readers ?? 0) * down) / (up + down))
}
