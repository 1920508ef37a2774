import { seedOf, unit } from "../../kit/random.ts"
import type { Settings } from "../settings.ts"
import { type Counts, pagesOf, SITE, siteDay, uniquesOf, visitsOf } from "./traffic.ts"
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
    const { plants, pages, oddPaths } = settings
    const seed = seedOf(projectId)
    const days = Array.from({ length: to - from }, (_, n) => siteDay(seed, from + n, now, plants))
    const rows = pagesOf(pagePaths(pages, seed, oddPaths), seed).map((page) => ({
      path: page.path,
      ...uniquesOf(visitsOf(page, days, plants), page),
    }))
    const totals = uniquesOf(visitsOf(undefined, days, plants), SITE)
    const whole = { totals, visitors: rows.filter(({ total }) => total > 0) }
    this.#latest.set(projectId, { key, whole })
    return whole
  }
}

const FRONT = [
  "/",
  "/quickstart",
  "/api-reference/authentication",
  "/installation",
  "/guides/webhooks",
  "/concepts/projects",
  "/api-reference/rate-limits",
  "/pricing-and-plans",
  "/guides/single-sign-on",
  "/changelog",
  "/llms.txt",
  "/sdks/typescript/getting-started",
]

const SECTIONS = ["guides", "api-reference", "sdks", "concepts", "tutorials", "integrations"]
const TOPICS = ["roles", "users", "keys", "exports", "events", "files", "invoices", "teams"]
const LEAVES = ["", "/best-practices", "/errors", "/examples"]

/**
 * Returns `count` different paths, most visited first: a fixed beginning, then the odd ones, then an
 * order that depends on the seed.
 */
function pagePaths(count: number, seed: number, oddPaths: readonly string[]): string[] {
  return [...FRONT, ...oddPaths, ...plainPaths(count, seed)].slice(0, count)
}

function plainPaths(count: number, seed: number): string[] {
  const current = SECTIONS.flatMap((section) => TOPICS.map((topic) => `/${section}/${topic}`))
    .flatMap((page) => LEAVES.map((leaf) => page + leaf))
    .map((path, index) => ({ path, order: unit(seed, index) }))
    .sort((a, b) => a.order - b.order)
    .map(({ path }) => path)
  const editions = Math.ceil(count / current.length)
  return Array.from({ length: editions }, (_, edition) =>
    current.map((path) => (edition === 0 ? path : `/v${edition}${path}`)),
  ).flat()
}
