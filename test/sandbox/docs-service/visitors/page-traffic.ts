import { unit } from "../../kit/random.ts"
import type { Page } from "./page.ts"
import { type Plant, plantedFactor } from "./plants.ts"
import type { Visits } from "./site-traffic.ts"
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
