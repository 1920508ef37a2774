import type { Held, JobStore } from "../jobs/job-store.ts"
import type { Kind } from "../jobs/transitions.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"

/**
 * Takes the next step of every job that is due for one kind of work. Each step returns the delay in
 * ms until the job is due again; a change to the job in the meantime can make it due sooner.
 * @returns the wait until the next pass, in ms
 */
export async function eachDue(
  jobs: Pick<JobStore, "claim" | "settle">,
  kind: Kind,
  { most, leaseMs }: { most: number; leaseMs: number },
  step: (held: Held) => Promise<number | "done">,
): Promise<number> {
  const held = await jobs.claim(kind, most, leaseMs)
  await Promise.all(
    held.map(async (one) => {
      const againMs = await step(one)
      await jobs.settle(kind, one.lease, [{ id: one.job.id, againMs }])
    }),
  )
  return held.length === most ? 0 : UNTIL_WOKEN
}
