import { queueKeys, queuesOf } from "../jobs/job-keys.ts"
import type { Store } from "../store/script.ts"

/** Counts requests and follow-ups, both of which a pause holds back, until they are sent. */
export function countUnsent(store: Store, project: string): Promise<number> {
  // One that was refused is still being sent until it is back in its queue.
  return countIn(store, project, ["wait", "creating"])
}

/** Counts the requests and follow-ups in a project's queues. */
export function countWaiting(store: Store, project: string): Promise<number> {
  return countIn(store, project, ["wait"])
}

async function countIn({ redis }: Store, project: string, of: readonly ("wait" | "creating")[]) {
  const sets = queuesOf([project]).flatMap((queue) => of.map((set) => queueKeys(queue)[set]))
  // In one step, because a request that moves from one set to another counts once.
  const counts = await redis.multi(sets.map((set) => ["zcard", set])).exec()
  return (counts ?? []).reduce((sum, [, count]) => sum + Number(count), 0)
}
