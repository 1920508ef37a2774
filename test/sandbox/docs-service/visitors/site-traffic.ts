import { unit } from "../../kit/random.ts"
import { type UtcDay, utcDay } from "./utc-day.ts"

export interface Visits {
  readonly human: number
  readonly ai: number
}

/** Growth hangs on the date itself, so that a day's numbers stay the same while time passes. */
const ANCHOR = utcDay(2026, 1, 1)

/** From Sunday. People read docs at work; AI reads a little less at weekends. */
const HUMAN_WEEK = [0.48, 1.02, 1.1, 1.08, 1.05, 0.93, 0.42]
const AI_WEEK = [0.8, 1, 1.05, 1.03, 1.02, 1, 0.82]

/** Visits to the site on one whole UTC day; never less than one of each kind. */
export function siteVisits(seed: number, day: UtcDay): Visits {
  const size = 0.6 + unit(seed, 1)
  const people = 950 * size * (0.55 + 0.9 * rise(day - ANCHOR, 260))
  const ai = people * (0.05 + 0.5 * rise(day - ANCHOR - 150, 180))
  const weekday = (((day + 4) % 7) + 7) % 7
  return {
    human: people * (HUMAN_WEEK[weekday] ?? 1) * (0.92 + 0.16 * unit(seed, 2, day)),
    ai: ai * (AI_WEEK[weekday] ?? 1) * (0.85 + 0.3 * unit(seed, 3, day)),
  }
}

/** How many different readers the site has altogether. */
export const SITE_PEOPLE: Visits = { human: 120_000, ai: 30_000 }
export const SITE_OVERLAP = 0.1

/** From 0 to 1 over a few times `days`, a half at day 0. */
function rise(day: number, days: number): number {
  return 1 / (1 + Math.exp(-day / days))
}
