import { unit } from "../../kit/random.ts"
import { dayOf } from "../analytics/paging.ts"
import type { Plant } from "../settings.ts"
import { type UtcDay, utcDay } from "./utc-day.ts"

export interface Visits {
  readonly human: number
  readonly ai: number
}

/** Fixed date that growth depends on, so that a day's numbers don't change as time passes. */
const ANCHOR = utcDay(2026, 1, 1)

/** Factors by weekday, from Sunday: people read docs at work, AI slightly less on weekends. */
const HUMAN_WEEK = [0.48, 1.02, 1.1, 1.08, 1.05, 0.93, 0.42]
const AI_WEEK = [0.8, 1, 1.05, 1.03, 1.02, 1, 0.82]

/** Returns the visits to the site on one whole UTC day; at least one of each kind. */
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

/** Total number of different readers of the site. */
export const SITE_PEOPLE: Visits = { human: 120_000, ai: 30_000 }
export const SITE_OVERLAP = 0.1

/** Returns a rise from 0 to 1 that takes several times `days` and is 0.5 on day 0. */
function rise(day: number, days: number): number {
  return 1 / (1 + Math.exp(-day / days))
}

/** Returns the factor on the usual visits on a day: to the site, or to the page with this path. */
export function plantedFactor(plants: readonly Plant[], day: UtcDay, path?: string): Visits {
  const own = plants.filter((plant) => dayOf(plant.day) === day && isMeant(plant, path))
  const factor = (kind: "human" | "ai") =>
    own.reduce(
      (all, plant) => all * (plant.of === undefined || plant.of === kind ? plant.factor : 1),
      1,
    )
  return { human: factor("human"), ai: factor("ai") }
}

function isMeant(plant: Plant, path: string | undefined): boolean {
  return path === undefined || plant.path === undefined
    ? path === plant.path
    : path.startsWith(plant.path)
}
