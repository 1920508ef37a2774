import { unit } from "../../kit/random.ts"
import type { Page } from "./page.ts"
import { isForPage, isForSite, type Plant, plantedFactor } from "./plants.ts"
import type { Visits } from "./site-traffic.ts"
import type { DayRange, UtcDay } from "./utc-day.ts"

export interface Slice extends DayRange {
  readonly today: UtcDay
  readonly passed: number
  /** The site's visits of each day, from `from`; today's are those of the whole day. */
  readonly site: readonly Visits[]
  /** The same as its pages draw from them: without what is planted on single pages. */
  readonly usual: readonly Visits[]
  readonly plants: readonly Plant[]
}

/** Every third single visit is an AI's. */
const AI_EVERY = 3

/** Visits to the page in the slice; on each day at most those of the whole site. */
export function pageVisits(page: Page, slice: Slice): Visits {
  return page.every === 1 ? sharedVisits(page, slice) : singleVisits(page, slice)
}

/** Whether anybody came, in constant time: an export of 100,000 pages asks this of each. */
export function wasVisited(page: Page, slice: Slice): boolean {
  const from = Math.max(slice.from, page.born)
  const to = Math.min(slice.to, slice.today)
  const lost = lostVisits(page, slice, from, to)
  return singles(page, from, to) > lost.human + lost.ai || isVisitedToday(page, slice)
}

function sharedVisits(page: Page, slice: Slice): Visits {
  let human = 0
  let ai = 0
  const to = Math.min(slice.to, slice.today)
  for (let day = Math.max(slice.from, page.born); day < to; day++) {
    const visits = visitsOn(page, slice, day)
    human += visits.human
    ai += visits.ai
  }
  if (!isVisitedToday(page, slice)) return { human, ai }
  const { today, passed } = slice
  const visits = visitsOn(page, slice, today)
  return { human: human + passed * visits.human, ai: ai + passed * visits.ai }
}

/** The page's share of a day; never more than the whole site had. */
function visitsOn(page: Page, slice: Slice, day: UtcDay): Visits {
  const [site, usual] = [slice.site[day - slice.from], slice.usual[day - slice.from]]
  if (!site || !usual) return { human: 0, ai: 0 }
  const factor = plantedFactor(slice.plants, day, (plant) => isForPage(plant, page.path))
  const luck = (what: number) => 0.65 + 0.7 * unit(page.seed, what, day)
  return {
    human: Math.min(site.human, page.share.human * usual.human * luck(1) * factor.human),
    ai: Math.min(site.ai, page.share.ai * usual.ai * luck(2) * factor.ai),
  }
}

function singleVisits(page: Page, slice: Slice): Visits {
  const from = Math.max(slice.from, page.born)
  const to = Math.min(slice.to, slice.today)
  const lost = lostVisits(page, slice, from, to)
  const ai = singles(page, from, to, AI_EVERY) - lost.ai
  const all = singles(page, from, to) - lost.human - lost.ai
  if (!isVisitedToday(page, slice)) return { human: all - ai, ai }
  const isAi = singles(page, slice.today, slice.today + 1, AI_EVERY) > 0
  return isAi ? { human: all - ai, ai: ai + slice.passed } : { human: all - ai + slice.passed, ai }
}

function lostVisits(page: Page, { plants }: Slice, from: UtcDay, to: UtcDay): Visits {
  const lost = { human: 0, ai: 0 }
  for (const plant of plants) {
    if (plant.day >= from && plant.day < to && isOutage(plant, page)) {
      const isAi = singles(page, plant.day, plant.day + 1, AI_EVERY) > 0
      if (singles(page, plant.day, plant.day + 1) > 0) lost[isAi ? "ai" : "human"] += 1
    }
  }
  return lost
}

function isOutage(plant: Plant, page: Page): boolean {
  return (
    plant.factor === 0 && plant.of === "both" && (isForSite(plant) || isForPage(plant, page.path))
  )
}

/** Single visits in a range: every `every` days, from a day of the page's own; or each n-th. */
function singles(page: Page, from: UtcDay, to: UtcDay, nth = 1): number {
  const step = page.every * nth
  if (to <= from) return 0
  return Math.floor((to - 1 + page.phase) / step) - Math.floor((from - 1 + page.phase) / step)
}

function isVisitedToday(page: Page, { from, to, today, passed, plants }: Slice): boolean {
  if (plants.some((plant) => plant.day === today && isOutage(plant, page))) return false
  if (today < from || today >= to || today < page.born || passed <= page.firstVisit) return false
  return singles(page, today, today + 1) > 0
}
