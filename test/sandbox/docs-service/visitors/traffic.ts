import { unit } from "../../kit/random.ts"
import type { Plant } from "../settings.ts"
import { DAY_MS, dayOf, type UtcDay } from "./utc-day.ts"

export interface Visits {
  readonly human: number
  readonly ai: number
}

/** Numbers of different readers, and the fraction of the smaller that is also in the larger. */
interface Readers {
  readonly people: Visits
  readonly overlap: number
}

export const SITE: Readers = { people: { human: 120_000, ai: 30_000 }, overlap: 0.1 }

/** Visits to the site on a UTC day, and the part of it that has passed. */
interface SiteDay {
  readonly day: UtcDay
  readonly part: number
  readonly visits: Visits
}

export interface Page extends Readers {
  readonly path: string
  readonly seed: number
  /** Fractions of the site's daily visits that reach this page. */
  readonly share: Visits
}

/** Fixed date that growth depends on, so that a day's numbers don't change as time passes. */
const ANCHOR = Date.UTC(2026, 0, 1) / DAY_MS

/** Factors by weekday, from Sunday: people read docs at work, AI slightly less on weekends. */
const HUMAN_WEEK = [0.48, 1.02, 1.1, 1.08, 1.05, 0.93, 0.42]
const AI_WEEK = [0.8, 1, 1.05, 1.03, 1.02, 1, 0.82]

export function siteDay(seed: number, day: UtcDay, now: number, plants: readonly Plant[]): SiteDay {
  const size = 0.6 + unit(seed, 1)
  const people = 950 * size * (0.55 + 0.9 * rise(day - ANCHOR, 260))
  const ai = people * (0.05 + 0.5 * rise(day - ANCHOR - 150, 180))
  const weekday = (((day + 4) % 7) + 7) % 7
  const factor = plantedFactor(plants, day)
  const visits = {
    human: people * (HUMAN_WEEK[weekday] ?? 1) * (0.92 + 0.16 * unit(seed, 2, day)) * factor.human,
    ai: ai * (AI_WEEK[weekday] ?? 1) * (0.85 + 0.3 * unit(seed, 3, day)) * factor.ai,
  }
  return { day, part: Math.min(1, now / DAY_MS - day), visits }
}

/** Returns a rise from 0 to 1 that takes several times `days` and is 0.5 on day 0. */
function rise(day: number, days: number): number {
  return 1 / (1 + Math.exp(-day / days))
}

/** Returns the visits to a page or, without one, to the site. */
export function visitsOf(
  page: Page | undefined,
  days: readonly SiteDay[],
  plants: readonly Plant[],
): Visits {
  let human = 0
  let ai = 0
  for (const { day, part, visits } of days) {
    const own = page ? visitsToPage(page, day, visits, plants) : visits
    human += part * own.human
    ai += part * own.ai
  }
  return { human, ai }
}

/** Returns the page's visits on one day, at most those of the whole site. */
function visitsToPage(page: Page, day: UtcDay, site: Visits, plants: readonly Plant[]): Visits {
  const factor = plantedFactor(plants, day, page.path)
  const luck = (what: number) => 0.65 + 0.7 * unit(page.seed, what, day)
  return {
    human: Math.min(site.human, page.share.human * site.human * luck(1) * factor.human),
    ai: Math.min(site.ai, page.share.ai * site.ai * luck(2) * factor.ai),
  }
}

/** Returns the factor on the usual visits on a day: to the site, or to the page with this path. */
function plantedFactor(plants: readonly Plant[], day: UtcDay, path?: string): Visits {
  const plant = plants.find((one) => dayOf(one.day) === day && isMeant(one, path))
  const { factor = 1, of } = plant ?? {}
  return { human: of === "ai" ? 1 : factor, ai: of === "human" ? 1 : factor }
}

function isMeant(plant: Plant, path: string | undefined): boolean {
  return path === undefined || plant.path === undefined
    ? path === plant.path
    : path.startsWith(plant.path)
}

const PAGES_PER_VISIT = 3.2

/**
 * Returns pages with their popularity, most popular first among the paths (a Zipf distribution). The
 * order of the export is stable, but not sorted by anything a client could use.
 */
export function pagesOf(paths: readonly string[], seed: number): Page[] {
  const weights = paths.map((_, rank) => (rank + 2) ** -0.9)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const pages = paths.map((path, rank) => {
    const share = (PAGES_PER_VISIT * (weights[rank] ?? 0)) / sum
    return pageAt(path, rank, Math.min(0.6, share), seed)
  })
  return pages.toSorted((a, b) => unit(a.seed, 17) - unit(b.seed, 17))
}

function pageAt(path: string, rank: number, share: number, siteSeed: number): Page {
  const seed = Math.floor(unit(siteSeed, 11, rank) * 0x1_0000_0000)
  const affinity = 0.4 + 1.8 * unit(seed, 12) ** 2
  return {
    path,
    seed,
    share: { human: share, ai: Math.min(0.9, share * affinity) },
    people: {
      human: SITE.people.human * Math.min(1, 4 * share),
      ai: SITE.people.ai * Math.min(1, 4 * share),
    },
    overlap: SITE.overlap + 0.3 * unit(seed, 15),
  }
}

export interface Counts {
  readonly human: number
  readonly ai: number
  readonly total: number
}

/**
 * Counts visitors without duplicates. `overlap`, in [0, 1), is the fraction of the smaller group that
 * is also in the larger one: a larger overlap never gives a larger total.
 */
export function uniquesOf(visits: Visits, { people, overlap }: Readers): Counts {
  const human = uniques(visits.human, people.human)
  const ai = uniques(visits.ai, people.ai)
  return { human, ai, total: human + ai - Math.floor(overlap * Math.min(human, ai)) }
}

/**
 * Returns the expected number of different visitors if each visit is made by one of `people` at
 * random. It grows ever more slowly and, like a count of real people, never has fewer uniques in a
 * longer range, nor more in two ranges together than their sum.
 */
function uniques(visits: number, people: number): number {
  return Math.ceil(-people * Math.expm1(-visits / people))
}
