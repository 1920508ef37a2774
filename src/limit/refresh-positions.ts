import type { Context } from "../jobs/context.ts"
import { BUSY } from "../jobs/job-keys.ts"
import { UNTIL_WOKEN } from "../lib/loop.ts"
import { isFirst } from "../store/claims.ts"
import { hasMoved, placesOf, readQueue } from "./queue-positions.ts"

/** Time in ms after its expected start at which a card says that its project was removed. */
const REMOVED_AFTER_MS = 60_000

/** Records the place of each job whose card is out of date. Only one process at a time does so. */
export async function refreshPass(context: Context): Promise<number> {
  const { store, jobs, settings } = context
  const restMs = settings.timing.careMs
  const busy = await store.redis.smembers(BUSY)
  if (busy.length === 0) return UNTIL_WOKEN
  // Expires a little before the next pass, so that the same process can do that one as well.
  if (!(await isFirst(store, "refresh", Math.ceil(restMs * 0.8)))) return restMs
  for (const queue of busy) {
    const facts = await readQueue(context, queue)
    const placeOf = placesOf(facts, settings.limits)
    const isRemoved = facts.pause?.reason === "removed"
    const waiting = await jobs.findAll(facts.waiting)
    for (const { job, now } of waiting) {
      const place = placeOf(job)
      const isDelayed = job.mayStartAt === undefined || job.mayStartAt > now
      if (!place || job.card === undefined || isDelayed || !hasMoved(job.place ?? {}, place))
        continue
      // While processes are replaced, another one may still have the project and start the job.
      const promised = job.place?.startsAt ?? job.mayStartAt ?? now
      if (isRemoved && now - promised < REMOVED_AFTER_MS) continue
      await jobs.change(job.id, ({ job: latest }) =>
        latest.state === "queued" ? { set: { place }, due: { outbox: 0 } } : undefined,
      )
    }
  }
  return restMs
}
