import type { Settings } from "../settings.ts"
import { type PageRow, VisitorData } from "./data-set.ts"
import type { Counts } from "./uniques.ts"
import type { DayRange } from "./utc-day.ts"

export interface VisitorExport {
  readonly totals: Counts
  /** All visited pages, in the order of the export. */
  readonly visitors: readonly PageRow[]
}

const NOBODY: VisitorExport = { totals: { human: 0, ai: 0, total: 0 }, visitors: [] }

/** Data sets of all projects, each created on first use. */
export class Visitors {
  readonly #sets = new Map<string, { made: string; data: VisitorData }>()

  read(
    projectId: string,
    range: DayRange,
    { empty, plants, ...site }: Settings["visitors"],
    now: number,
  ): VisitorExport {
    if (empty) return NOBODY
    const data = this.#dataOf(projectId, site)
    return { totals: data.totals(range, now, plants), visitors: data.rows(range, now, plants) }
  }

  #dataOf(
    projectId: string,
    { pages, oddPaths }: Pick<Settings["visitors"], "pages" | "oddPaths">,
  ): VisitorData {
    const made = JSON.stringify([pages, oddPaths])
    const known = this.#sets.get(projectId)
    if (known?.made === made) return known.data
    const data = new VisitorData(projectId, pages, oddPaths)
    this.#sets.set(projectId, { made, data })
    return data
  }
}
