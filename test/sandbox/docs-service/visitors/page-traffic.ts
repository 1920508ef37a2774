import { unit } from "../../kit/random.ts"
import type { Plant } from "../settings.ts"
import { plantedFactor, SITE_OVERLAP, SITE_PEOPLE, type Visits } from "./site-traffic.ts"
import type { DayRange, UtcDay } from "./utc-day.ts"

export interface Slice extends DayRange {
  readonly today: UtcDay
  readonly passed: number
  /** Visits to the site on each day, starting at `from`; today's are for the whole day. */
  readonly site: readonly Visits[]
  readonly plants: readonly Plant[]
}

/** Returns the visits to the page in the slice; on each day, at most those of the whole site. */
export function pageVisits(page: Page, slice: Slice): Visits {
  let human = 0
  let ai = 0
  for (let day = slice.from; day < slice.to; day++) {
    const part = day === slice.today ? slice.passed : 1
    const visits = visitsOn(page, slice, day)
    human += part * visits.human
    ai += part * visits.ai
  }
  return { human, ai }
}

/** Returns the page's visits on one day, at most those of the whole site. */
function visitsOn(page: Page, slice: Slice, day: UtcDay): Visits {
  const site = slice.site[day - slice.from]
  if (!site) return { human: 0, ai: 0 }
  const factor = plantedFactor(slice.plants, day, page.path)
  const luck = (what: number) => 0.65 + 0.7 * unit(page.seed, what, day)
  return {
    human: Math.min(site.human, page.share.human * site.human * luck(1) * factor.human),
    ai: Math.min(site.ai, page.share.ai * site.ai * luck(2) * factor.ai),
  }
}

export interface Page {
  readonly path: string
  readonly seed: number
  /** Fractions of the site's daily visits that reach this page. */
  readonly share: Visits
  /** Maximum number of different readers, never more than the site's. */
  readonly people: Visits
  readonly overlap: number
}

const PAGES_PER_VISIT = 3.2

/** Returns pages in order of popularity (a Zipf distribution), which isn't the export's order. */
export function pagesOf(paths: readonly string[], seed: number): Page[] {
  const weights = paths.map((_, rank) => (rank + 2) ** -0.9)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return paths.map((path, rank) => {
    const share = (PAGES_PER_VISIT * (weights[rank] ?? 0)) / sum
    return page(path, rank, Math.min(0.6, share), seed)
  })
}

function page(path: string, rank: number, share: number, siteSeed: number): Page {
  const seed = Math.floor(unit(siteSeed, 11, rank) * 0x1_0000_0000)
  const affinity = 0.4 + 1.8 * unit(seed, 12) ** 2
  return {
    path,
    seed,
    share: { human: share, ai: Math.min(0.9, share * affinity) },
    people: {
      human: SITE_PEOPLE.human * Math.min(1, 4 * share),
      ai: SITE_PEOPLE.ai * Math.min(1, 4 * share),
    },
    overlap: SITE_OVERLAP + 0.3 * unit(seed, 15),
  }
}
