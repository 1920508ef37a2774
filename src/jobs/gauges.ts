import type { JobsDeps } from "./deps.ts"
import { jobKeys, queueKeys } from "./keys.ts"
import { pausedNow } from "./limit/places.ts"
import { readQueue } from "./limit/queue-facts.ts"
import { queuesOf } from "./limit/queues.ts"

export type StoreGauges = Awaited<ReturnType<typeof readGauges>>

const LOOKED_AT = 100

export async function readGauges(deps: JobsDeps) {
  const { redis } = deps.store
  const [now, [, due]] = await Promise.all([
    deps.now(),
    redis.zrange(jobKeys.schedule("polls"), "0", "0", "WITHSCORES"),
  ])
  const rows = queuesOf(deps.projectKeys).map(async (queue) => {
    const [facts, waiting] = await Promise.all([
      readQueue(deps, queue),
      redis.zcard(queueKeys(queue).wait),
    ])
    const found = await deps.jobs.findAll(facts.waiting.slice(0, LOOKED_AT).map(({ id }) => id))
    return {
      queue,
      waiting,
      /** Age of the oldest waiting job; 0 when none waits. */
      oldestMs: now - Math.min(now, ...found.map(({ job }) => job.at)),
      used: facts.log.length,
      paused: pausedNow(facts) ?? "",
    }
  })
  return {
    /** How late the most overdue poll is. */
    pollLagMs: due === undefined ? 0 : Math.max(0, now - Number(due)),
    queues: await Promise.all(rows),
  }
}
