import { dayOf } from "../analytics/paging.ts"
import type { Settings } from "../settings.ts"
import type { Visits } from "./site-traffic.ts"
import type { UtcDay } from "./utc-day.ts"

/** Event planted in the data, which multiplies the usual visits on one day. */
export type Plant = Settings["visitors"]["plants"][number]

/** Returns the factor on the usual visits on a day: to the site, or to the page with this path. */
export function plantedFactor(plants: readonly Plant[], day: UtcDay, path?: string): Visits {
  const own = plants.filter((plant) => dayOf(plant.day) === day && isMeant(plant, path))
  const factor = (kind: "human" | "ai") =>
    own.reduce(
      (all, plant) => all * (plant.of === "both" || plant.of === kind ? plant.factor : 1),
      1,
    )
  return { human: factor("human"), ai: factor("ai") }
}

function isMeant(plant: Plant, path: string | undefined): boolean {
  return path === undefined || plant.path === undefined
    ? path === plant.path
    : path.startsWith(plant.path)
}
