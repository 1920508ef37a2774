import { DELIVERY, RESTS } from "../config/timing.ts"
import { raceAbort } from "../runtime/race-abort.ts"
import { stopwatch } from "../runtime/stopwatch.ts"
import { type DeliveryDeps, deliver, type HasMoved } from "./deliver.ts"
import type { Job, QueuePlace } from "./job.ts"

const BATCH = 20

export interface DeliveryPassDeps extends DeliveryDeps {
  /** Aborted when the process cannot wait for Slack any longer. */
  hurry: AbortSignal
  /** Where the waiting jobs of a project stand right now. */
  places(project: string): Promise<Map<string, QueuePlace>>
}

/** One pass over what there is to say. Returns how long to rest, ms. */
export async function deliveryPass(deps: DeliveryPassDeps, moved: HasMoved): Promise<number> {
  const sinceClaim = stopwatch()
  const inTime = () => sinceClaim() < deps.postWithinMs
  const claimed = await deps.outbox.claim(BATCH)
  const pass = { placeOf: placesByProject(deps), moved, crowd: new Map<string, number>(), inTime }
  await Promise.all(
    claimed.map(async (entry) => {
      const delivering = deliver(deps, entry, pass)
      // What is on its way may yet be posted, so the next process looks it up first.
      const result = await raceAbort(deps.hurry, delivering, {
        sure: false,
        againMs: DELIVERY.lookUpAgainMs,
      })
      await deps.outbox.settle(entry, result)
    }),
  )
  return claimed.length === BATCH ? 0 : RESTS.delivery
}

/** The queue is read once per project and pass, and only when a waiting job is shown. */
function placesByProject(deps: DeliveryPassDeps) {
  const known = new Map<string, Promise<Map<string, QueuePlace>>>()
  return async (job: Job): Promise<QueuePlace | undefined> => {
    if (job.state !== "queued") return undefined
    const places = known.get(job.project) ?? deps.places(job.project)
    known.set(job.project, places)
    return (await places).get(job.id)
  }
}
