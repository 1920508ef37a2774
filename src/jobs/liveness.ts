import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { key } from "../store/keys.ts"
import { once } from "../store/limits.ts"
import type { RedisClient, Store } from "../store/script.ts"
import { type Telling, tellOnce } from "./admin-notices.ts"
import type { Ask, Job } from "./job.ts"
import type { JobStore } from "./job-store.ts"
import { BUSY, jobKeys, queueKeys } from "./keys.ts"
import { type HealthStore, pauseOf } from "./pause.ts"
import { projectOf } from "./queues.ts"

/** When a worker last looked at everything, by Redis' clock, ms. */
const ALIVE = key("alive")
/** A worker looks every few seconds: none is alive where the last look was so long ago, ms. */
const GONE_MS = 60_000
/** Redis stands where it stood so long ago, ms: a person decides about what waits in it. */
const FAR_MS = 3_600_000
/** Between two looks whether a worker is alive, ms. */
const REST_MS = 15_000
const TOLD_MS = 86_400_000
const MOST = 100

/** Notes that a worker is alive. */
export async function noteAlive(redis: RedisClient, now: number): Promise<void> {
  await redis.set(ALIVE, now)
}

/** Requests that have waited a minute for a worker where none is alive, and since when, ms. */
export async function stranded(
  { redis }: Store,
  now: number,
): Promise<{ ids: string[]; since: number }> {
  const since = Number((await redis.get(ALIVE)) ?? 0)
  if (now - since < GONE_MS) return { ids: [], since }
  const overdue = [jobKeys.schedule("outbox"), "-inf", now - GONE_MS, "LIMIT", 0, MOST] as const
  return { ids: await redis.zrangebyscore(...overdue), since }
}

interface StrandedDeps extends Telling {
  jobs: JobStore
  now: () => Promise<number>
  /** Tells whoever asked that their request is saved. */
  tellSaved: (job: Job, ask: Ask) => Promise<void>
  onStranded: (waiting: number) => void
  notice: (waiting: number) => Message
}

/** One pass: tells log, admins and whoever waits that no worker is alive. Returns how long to rest, ms. */
export async function strandedPass(deps: StrandedDeps): Promise<number> {
  const { store, jobs } = deps
  const { ids, since } = await stranded(store, await deps.now())
  if (ids.length === 0) return REST_MS
  await tellOnce(deps, `told:worker:${since}`, {
    log: () => deps.onStranded(ids.length),
    message: () => deps.notice(ids.length),
  })
  for (const { job } of await jobs.findAll(ids))
    for (const ask of job.asks.filter(({ isPrepared }) => !isPrepared))
      if (job.state !== "ended" && (await once(store, `stranded:${ask.id}`, TOLD_MS)))
        await deps.tellSaved(job, ask).catch(orSlackError)
  return REST_MS
}

/**
 * Pauses queues in which something waits, where the last look of a worker was long ago: Redis was restored
 * from a backup, or nothing ran for long. Done before anything starts.
 */
export async function pauseWhatIsOld(
  { redis }: Store,
  health: HealthStore,
  { now, printOf }: { now: number; printOf: (project: string) => string },
): Promise<void> {
  const last = await redis.get(ALIVE)
  if (last === null || now - Number(last) < FAR_MS) return
  const since = Number(last)
  for (const queue of await redis.smembers(BUSY)) {
    if ((await redis.zcard(queueKeys(queue).wait)) === 0) continue
    const print = printOf(projectOf(queue))
    for (const one of new Set([queue, projectOf(queue)]))
      await health.change(one, (is) =>
        pauseOf(is) ? undefined : { reason: "restored", since, until: "ever", print },
      )
  }
}
