import type { Context } from "../jobs/context.ts"
import { limitAnalytics } from "./analytics-limit.ts"
import { createCsvQueue } from "./csv-queue.ts"
import { createReadingCache } from "./reading-cache.ts"
import { createReadings } from "./readings.ts"
import { createRequestedGaps } from "./requested-gaps.ts"
import { createScheduledPosts } from "./scheduled-posts.ts"
import { createShown } from "./shown-reports.ts"

export type VisitorsDeps = ReturnType<typeof createVisitorsDeps<Context>>

/** Builds the dependencies of the use cases about visitors, over one connection to Redis. */
export function createVisitorsDeps<Jobs extends Context>(jobs: Jobs) {
  const { store, docs, onBroken, now, config } = jobs
  const limit = limitAnalytics(store, {
    perHour: config.limits.analyticsPerHour,
    timeoutMs: config.docs.timeoutMs,
    accountOf: jobs.keyIdOf,
  })
  const cached = createReadingCache(store.redis, now)
  return {
    ...jobs,
    limit,
    cached,
    readings: createReadings(docs, limit, cached),
    posts: createScheduledPosts(store, onBroken),
    csvs: createCsvQueue(store, onBroken),
    shown: createShown(store.redis),
    requested: createRequestedGaps(store.redis),
  }
}
