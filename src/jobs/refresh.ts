import { RESTS } from "../config/timing.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { HourLimits } from "./estimate.ts"
import { hasMoved, placesOf } from "./places.ts"
import type { QueueStore } from "./queue-ports.ts"

/**
 * One pass: asks for the cards to be written again whose place, start or pause is no longer true
 * enough. One process does it at a time.
 */
export async function refreshPass(queue: QueueStore, limits: HourLimits): Promise<number> {
  const busy = await queue.busy()
  if (busy.length === 0) return UNTIL_WOKEN
  if (!(await queue.once("refresh", RESTS.refresh - 500))) return RESTS.refresh
  for (const name of busy) {
    const facts = await queue.facts(name)
    const places = placesOf(facts, limits)
    const shown = await queue.shown(name)
    const stale = [...shown].flatMap(([id, is]) => {
      const place = places.get(id)
      return place && hasMoved(is, place) ? id : []
    })
    await queue.touch(stale)
  }
  return RESTS.refresh
}
