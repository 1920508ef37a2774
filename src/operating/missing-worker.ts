import { tellOnce } from "../asking/tell-admins.ts"
import { tellPrivately } from "../asking/tell-requesters.ts"
import type { Context } from "../jobs/context.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import { openAsks } from "../jobs/rounds.ts"
import type { Pass } from "../lib/loop.ts"
import { DAY_MS } from "../lib/time.ts"
import { MAX_COUNTED, type Notice, workerNotice } from "../messages/admin-notices.ts"
import { savedForLater } from "../messages/private-answers.ts"
import { isFirst } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type Store } from "../store/script.ts"
import { csvSchedule } from "../visitors/csv-queue.ts"

/** Key of the time at which a worker last checked all its work, by Redis's clock. */
const ALIVE = key("alive")
/** Age in ms of the last check after which no worker counts as running: each checks every 4 s. */
const GONE_MS = 60_000
const REST_MS = 15_000

export async function noteAlive(store: Store): Promise<void> {
  await store.redis.set(ALIVE, await currentTime(store))
}

/** Lists what has waited a minute for a worker if none is running, and when one was last seen. */
async function waitingWithoutWorker(store: Store) {
  const { redis } = store
  const now = await currentTime(store)
  const since = Number((await redis.get(ALIVE)) ?? 0)
  // A time of the future is from before the clock was set back, by who knows how much.
  if (Math.abs(now - since) < GONE_MS) return { ids: [], waiting: 0, since }
  const overdue = (schedule: string) =>
    redis.zrangebyscore(schedule, "-inf", now - GONE_MS, "LIMIT", 0, MAX_COUNTED + 1)
  const ids = await overdue(jobKeys.schedule("outbox"))
  const csvs = await overdue(csvSchedule)
  return { ids, waiting: ids.length + csvs.length, since }
}

export async function workerNotices(store: Store): Promise<Notice[]> {
  const { waiting, since } = await waitingWithoutWorker(store)
  return waiting > 0 ? [workerNotice(waiting, since)] : []
}

/**
 * Makes the pass that reports to the log, the admins and the people who wait that no worker is
 * running. Only its second look in a row counts: a worker that starts with this process, after a
 * night in which everything stood still, has had no time for a sign of life at the first.
 */
export function missingWorkerPass(context: Context): Pass {
  let isSuspected = false
  return async () => {
    const found = await waitingWithoutWorker(context.store)
    if (isSuspected && found.waiting > 0) await reportMissing(context, found)
    isSuspected = found.waiting > 0
    return REST_MS
  }
}

async function reportMissing(
  context: Context,
  { ids, waiting, since }: Awaited<ReturnType<typeof waitingWithoutWorker>>,
): Promise<void> {
  const { store, jobs } = context
  const { admins } = context.settings.access
  await tellOnce(context, workerNotice(waiting, since))
  for (const { job } of await jobs.findAll(ids))
    for (const ask of openAsks(job).filter(({ isPrepared }) => !isPrepared))
      if (job.state !== "ended" && (await isFirst(store, `no_worker:${ask.id}`, DAY_MS)))
        await tellPrivately(context, job, ask, savedForLater(admins))
}
