import type { Visits } from "./site-traffic.ts"
import type { UtcDay } from "./utc-day.ts"

/** An event that somebody put into the data: on that day so many times the usual visits came. */
export interface Plant {
  readonly day: UtcDay
  /** 0 is an outage, 2 twice the usual, and so on. */
  readonly factor: number
  readonly of: "human" | "ai" | "both"
  /** Only the pages whose path begins so; undefined for the whole site. */
  readonly path: string | undefined
}

/** How many times the usual visits a page, or the site, has on a day. */
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

/** Whether the event is about this page alone or others like it. */
export function isForPage(plant: Plant, path: string): boolean {
  return plant.path !== undefined && path.startsWith(plant.path)
}

export function isForSite(plant: Plant): boolean {
  return plant.path === undefined
}
