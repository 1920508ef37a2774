import { seedOf, unit } from "../../kit/random.ts"
import { DAY_MS, type DayRange, utcDayOf } from "../visitors/utc-day.ts"
import { CANARIES } from "./canaries.ts"

/** Term, searches on a typical day, click-through rate, and page clicked most. */
const TERMS: readonly (readonly [string, number, number, string | null])[] = [
  ["api key", 31, 0.71, "/api-reference/authentication"],
  ["webhooks", 24, 0.64, "/guides/webhooks"],
  ["scim", 19, 0, null],
  ["rate limit", 18, 0.8, "/api-reference/rate-limits"],
  ["webhook retries", 15, 0.03, "/guides/webhooks"],
  ["install", 14, 0.66, "/installation"],
  ["corporate proxy", 11, 0, null],
  ["export to excel", 9, 0.02, "/guides/exports"],
  ["quickstart", 9, 0.9, "/quickstart"],
  ["refund", 7, 0, null],
  ["pricing", 6, 0.5, "/pricing-and-plans"],
  ["SCIM", 4, 0, null],
  ["認証", 3, 0.4, "/ja/はじめに/認証"],
  [CANARIES.searched, 12, 0, null],
]

/** Rarely searched terms, enough to fill more than one page. */
const RARE = Array.from({ length: 140 }, (_, n) => `error E${1000 + n}`)

/** Returns the search terms of a range, "ordered by hit count descending". */
export function searchesOf(projectId: string, range: DayRange, now: number) {
  const seed = seedOf(projectId)
  const terms = [
    ...TERMS,
    ...RARE.map((term) => [term, 0.05, 0.3, "/api-reference/errors"] as const),
  ]
  return terms
    .flatMap(([searchQuery, usual, ctr, page], index) => {
      const found = hitsIn(range, now, (day) =>
        Math.floor(usual * (0.6 + 0.8 * unit(seed + index, 31, day)) + unit(seed + index, 32, day)),
      )
      if (found.hits === 0) return []
      const lastSearchedAt = new Date(found.lastAt).toISOString()
      return [{ searchQuery, hits: found.hits, ctr, topClickedPage: page, lastSearchedAt }]
    })
    .toSorted((a, b) => b.hits - a.hits || (a.searchQuery < b.searchQuery ? -1 : 1))
}

function hitsIn(range: DayRange, now: number, ofDay: (day: number) => number) {
  let hits = 0
  let lastAt = 0
  for (let day = range.from; day < Math.min(range.to, utcDayOf(now) + 1); day++) {
    const passed = Math.min(1, (now - day * DAY_MS) / DAY_MS)
    const found = Math.floor(ofDay(day) * passed)
    hits += found
    if (found > 0) lastAt = day * DAY_MS + Math.floor(passed * DAY_MS) - 1
  }
  return { hits, lastAt }
}
