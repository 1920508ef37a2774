import { jobKeys } from "../../src/jobs/keys.ts"
import { queuesOf } from "../../src/jobs/limit/queues.ts"
import type { Kind } from "../../src/jobs/transitions.ts"
import { resumed } from "../../src/jobs/trouble/pause.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

/** Makes everything on these schedules due now, except what a process holds under a lease. */
export async function hasten(
  { services: { work } }: TestBed,
  ...kinds: readonly Kind[]
): Promise<void> {
  for (const kind of kinds)
    await work.jobs.makeDueNow(
      kind,
      await work.store.redis.zrange(jobKeys.schedule(kind), "0", "-1"),
    )
}

/** Resumes every paused queue, as an admin does. */
export async function resumeAll({ services: { front } }: TestBed): Promise<void> {
  for (const queue of queuesOf(front.projectKeys))
    await front.health.change(queue, (health, now) => resumed(health, now))
}
