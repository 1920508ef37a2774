import type { Visits } from "./site-traffic.ts"
import type { UtcDay } from "./utc-day.ts"

/** Event planted in the data, which multiplies the usual visits on one day. */
export interface Plant {
  readonly day: UtcDay
  /** Factor on the usual visits: 0 is an outage, 2 doubles them. */
  readonly factor: number
  readonly of: "human" | "ai" | "both"
  /** Path prefix of the affected pages; undefined for the whole site. */
  readonly path: string | undefined
}

/** Returns the factor on the usual visits to a page, or to the site, on a day. */
export function plantedFactor(
  plants: readonly Plant[],
  day: UtcDay,
  isMeant: (plant: Plant) => boolean,
): Visits {
  const own = plants.filter((plant) => plant.day === day && isMeant(plant))
  const factor = (kind: "human" | "ai") =>
    own.reduce(
      (all, plant) => all * (plant.of === "both" || plant.of === kind ? plant.factor : 1),
      1,
    )
  return { human: factor("human"), ai: factor("ai") }
}

/** Returns whether the event affects pages with this path, and not the whole site. */
export function isForPage(plant: Plant, path: string): boolean {
  return plant.path !== undefined && path.startsWith(plant.path)
}

export function isForSite(plant: Plant): boolean {
  return plant.path === undefined
}
