import { unit } from "../seeded.ts"
import type { Page } from "./page.ts"
import type { Visits } from "./site-traffic.ts"
import type { DayRange, UtcDay } from "./utc-day.ts"

/** The part of the data that a question is about. */
export interface Slice extends DayRange {
  readonly today: UtcDay
  /** How much of today has passed, in [0, 1). */
  readonly passed: number
  /** The site's visits of each day, from `from`; today's are those of the whole day. */
  readonly site: readonly Visits[]
}

/** Every third single visit is an AI's. */
const AI_EVERY = 3

/** Visits to the page in the slice; on each day at most those of the whole site. */
export function pageVisits(page: Page, slice: Slice): Visits {
  return page.every === 1 ? sharedVisits(page, slice) : singleVisits(page, slice)
}

/** Whether anybody came, in constant time: an export of 100,000 pages asks this of each. */
export function wasVisited(page: Page, slice: Slice): boolean {
  const closed = singles(page, Math.max(slice.from, page.born), Math.min(slice.to, slice.today))
  return closed > 0 || isVisitedToday(page, slice)
}

function sharedVisits(page: Page, slice: Slice): Visits {
  let human = 0
  let ai = 0
  const to = Math.min(slice.to, slice.today)
  for (let day = Math.max(slice.from, page.born); day < to; day++) {
    const site = slice.site[day - slice.from]
    if (!site) continue
    human += visitsOn(page.share.human, site.human, unit(page.seed, 1, day))
    ai += visitsOn(page.share.ai, site.ai, unit(page.seed, 2, day))
  }
  if (!isVisitedToday(page, slice)) return { human, ai }
  const site = slice.site[slice.today - slice.from] ?? { human: 0, ai: 0 }
  const { today, passed } = slice
  return {
    human: human + passed * visitsOn(page.share.human, site.human, unit(page.seed, 1, today)),
    ai: ai + passed * visitsOn(page.share.ai, site.ai, unit(page.seed, 2, today)),
  }
}

function visitsOn(share: number, site: number, luck: number): number {
  return Math.min(site, share * site * (0.65 + 0.7 * luck))
}

function singleVisits(page: Page, slice: Slice): Visits {
  const from = Math.max(slice.from, page.born)
  const to = Math.min(slice.to, slice.today)
  const all = singles(page, from, to)
  const ai = singles(page, from, to, AI_EVERY)
  if (!isVisitedToday(page, slice)) return { human: all - ai, ai }
  const isAi = singles(page, slice.today, slice.today + 1, AI_EVERY) > 0
  return isAi ? { human: all - ai, ai: ai + slice.passed } : { human: all - ai + slice.passed, ai }
}

/** Single visits in a range: every `every` days, from a day of the page's own; or each n-th. */
function singles(page: Page, from: UtcDay, to: UtcDay, nth = 1): number {
  const step = page.every * nth
  if (to <= from) return 0
  return Math.floor((to - 1 + page.phase) / step) - Math.floor((from - 1 + page.phase) / step)
}

function isVisitedToday(page: Page, { from, to, today, passed }: Slice): boolean {
  if (today < from || today >= to || today < page.born || passed <= page.firstVisit) return false
  return singles(page, today, today + 1) > 0
}
