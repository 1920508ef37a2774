import { seedOf, unit } from "../../kit/random.ts"
import type { Plant, Settings } from "../settings.ts"
import { pagePaths } from "./page-paths.ts"
import { type Page, pagesOf, pageVisits, type Slice } from "./page-traffic.ts"
import {
  plantedFactor,
  SITE_OVERLAP,
  SITE_PEOPLE,
  siteVisits,
  type Visits,
} from "./site-traffic.ts"
import { type DayRange, dayFraction, utcDayOf } from "./utc-day.ts"

export interface PageRow extends Counts {
  readonly path: string
}

/** Number of whole UTC days that the service stores, besides the elapsed part of today. */
const REMEMBERED_DAYS = 400

/** Returns the days that have data at `now` (epoch ms). */
export function rememberedDays(now: number): DayRange {
  const today = utcDayOf(now)
  return { from: today - REMEMBERED_DAYS, to: today + 1 }
}

/** Visitors of one project: the same for the same project, settings and clock. */
class VisitorData {
  readonly #seed: number
  /** Pages in the order of the export: stable, but not sorted by anything a client could use. */
  readonly #pages: readonly Page[]
  #last: { key: string; rows: readonly PageRow[] } = { key: "", rows: [] }

  constructor(projectId: string, pages: number, oddPaths: readonly string[]) {
    this.#seed = seedOf(projectId)
    this.#pages = pagesOf(pagePaths(pages, this.#seed, oddPaths), this.#seed)
      .map((page) => ({ page, order: unit(page.seed, 17) }))
      .sort((a, b) => a.order - b.order)
      .map(({ page }) => page)
  }

  /** Returns the site's unique visitors: fewer than the pages' sum, since visitors read several. */
  totals(range: DayRange, now: number, plants: readonly Plant[]): Counts {
    const slice = this.#slice(range, now, plants)
    const visits = { human: 0, ai: 0 }
    slice.site.forEach(({ human, ai }, index) => {
      const part = slice.from + index === slice.today ? slice.passed : 1
      visits.human += part * human
      visits.ai += part * ai
    })
    return counts(visits, SITE_PEOPLE, SITE_OVERLAP)
  }

  /** Returns a row for each visited page. */
  rows(range: DayRange, now: number, plants: readonly Plant[]): readonly PageRow[] {
    const slice = this.#slice(range, now, plants)
    const { from, to, today, passed } = slice
    // Cached for the next page of the same export.
    const key = JSON.stringify([from, to, to > today && [today, passed], plants])
    if (this.#last.key !== key) {
      const rows = this.#pages.map((page) => row(page, slice))
      this.#last = { key, rows: rows.filter(({ total }) => total > 0) }
    }
    return this.#last.rows
  }

  #slice(range: DayRange, now: number, plants: readonly Plant[]): Slice {
    const known = rememberedDays(now)
    const from = Math.max(range.from, known.from)
    const to = Math.max(from, Math.min(range.to, known.to))
    const site = Array.from({ length: to - from }, (_, n) =>
      times(siteVisits(this.#seed, from + n), plantedFactor(plants, from + n)),
    )
    return { from, to, site, plants, today: utcDayOf(now), passed: dayFraction(now) }
  }
}

function times(visits: Visits, factor: Visits): Visits {
  return { human: visits.human * factor.human, ai: visits.ai * factor.ai }
}

function row(page: Page, slice: Slice): PageRow {
  return { path: page.path, ...counts(pageVisits(page, slice), page.people, page.overlap) }
}

function counts(visits: Visits, people: Visits, overlap: number): Counts {
  const human = uniques(visits.human, people.human)
  const ai = uniques(visits.ai, people.ai)
  return deduplicated(human, ai, overlap)
}

export interface VisitorExport {
  readonly totals: Counts
  /** All visited pages, in the order of the export. */
  readonly visitors: readonly PageRow[]
}

/** Data sets of all projects, each created on first use. */
export class Visitors {
  readonly #sets = new Map<string, VisitorData>()

  read(
    projectId: string,
    range: DayRange,
    { pages, oddPaths, plants }: Settings["visitors"],
    now: number,
  ): VisitorExport {
    const key = JSON.stringify([projectId, pages, oddPaths])
    const data = this.#sets.get(key) ?? new VisitorData(projectId, pages, oddPaths)
    this.#sets.set(key, data)
    return { totals: data.totals(range, now, plants), visitors: data.rows(range, now, plants) }
  }
}

interface Counts {
  readonly human: number
  readonly ai: number
  readonly total: number
}

/**
 * Returns the expected number of different visitors if each visit is made by one of `people` at
 * random. It grows ever more slowly and, like a count of real people, never has fewer uniques in a
 * longer range, nor more in two ranges together than their sum.
 */
function uniques(visits: number, people: number): number {
  return Math.ceil(-people * Math.expm1(-visits / people))
}

/**
 * Counts people and AI without duplicates: `overlap`, in [0, 1), is the fraction of the smaller
 * group that is also in the larger one. A larger overlap never gives a larger total.
 */
function deduplicated(human: number, ai: number, overlap: number): Counts {
  return { human, ai, total: human + ai - Math.floor(overlap * Math.min(human, ai)) }
}
