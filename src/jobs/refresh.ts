import type { HourLimits } from "./estimate.ts"
import { hasMoved, placesOf } from "./places.ts"
import type { QueueStore } from "./ports.ts"

/** Places change with every start; looking more often would only cost. ms */
const EVERY_MS = 3000

/**
 * One pass: asks for the cards to be written again whose place, start or pause is no longer true
 * enough. One process does it at a time.
 */
export async function refreshPass(queue: QueueStore, limits: HourLimits): Promise<number> {
  if (!(await queue.once("refresh", EVERY_MS - 500))) return EVERY_MS
  for (const project of await queue.busy()) {
    const facts = await queue.facts(project)
    const places = placesOf(facts, limits)
    const shown = await queue.shown([...places.keys()])
    const stale = [...shown].flatMap(([id, is]) => {
      const place = places.get(id)
      return place && hasMoved(is, place) ? id : []
    })
    await queue.touch(stale)
  }
  return EVERY_MS
}
