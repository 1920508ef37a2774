import { seedOf } from "../../kit/random.ts"
import type { Settings } from "../settings.ts"
import { pagePaths } from "./page-paths.ts"
import { type Counts, type Page, pagesOf, SITE, siteDay, uniquesOf, visitsOf } from "./traffic.ts"
import { type DayRange, utcDayOf } from "./utc-day.ts"

export interface PageRow extends Counts {
  readonly path: string
}

export interface VisitorExport {
  /** Unique visitors of the site: fewer than the pages' sum, since visitors read several. */
  readonly totals: Counts
  /** All visited pages, in the order of the export. */
  readonly visitors: readonly PageRow[]
}

/** Number of whole UTC days that the service stores, besides the elapsed part of today. */
const REMEMBERED_DAYS = 400

/** Returns the days that have data at `now` (epoch ms). */
export function rememberedDays(now: number): DayRange {
  const today = utcDayOf(now)
  return { from: today - REMEMBERED_DAYS, to: today + 1 }
}

/** Visitors of all projects: the same for the same project, settings and clock. */
export class Visitors {
  readonly #pages = new Map<string, readonly Page[]>()
  /** Latest export of each project, for the next page of it. */
  readonly #latest = new Map<string, { key: string; whole: VisitorExport }>()

  read(
    projectId: string,
    range: DayRange,
    settings: Settings["visitors"],
    now: number,
  ): VisitorExport {
    const known = rememberedDays(now)
    const from = Math.max(range.from, known.from)
    const to = Math.max(from, Math.min(range.to, known.to))
    const key = JSON.stringify([from, to, to === known.to && now, settings])
    const latest = this.#latest.get(projectId)
    if (latest?.key === key) return latest.whole
    const { plants } = settings
    const seed = seedOf(projectId)
    const days = Array.from({ length: to - from }, (_, n) => siteDay(seed, from + n, now, plants))
    const rows = this.#pagesOf(projectId, seed, settings).map((page) => ({
      path: page.path,
      ...uniquesOf(visitsOf(page, days, plants), page),
    }))
    const totals = uniquesOf(visitsOf(undefined, days, plants), SITE)
    const whole = { totals, visitors: rows.filter(({ total }) => total > 0) }
    this.#latest.set(projectId, { key, whole })
    return whole
  }

  #pagesOf(projectId: string, seed: number, { pages, oddPaths }: Settings["visitors"]) {
    const key = JSON.stringify([projectId, pages, oddPaths])
    const found = this.#pages.get(key) ?? pagesOf(pagePaths(pages, seed, oddPaths), seed)
    this.#pages.set(key, found)
    return found
  }
}
