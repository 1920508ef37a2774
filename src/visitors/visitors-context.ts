import type { Context } from "../jobs/context.ts"
import { limitAnalytics } from "./analytics-limit.ts"
import { type CsvQueue, createCsvQueue } from "./csv-queue.ts"
import { createReadings, type Readings } from "./read-visitors.ts"
import { createRequestedGaps, type RequestedGaps } from "./requested-gaps.ts"
import { createScheduledPosts, type ScheduledPosts } from "./scheduled-posts.ts"
import { createShown, type Shown } from "./stored-reports.ts"
import { createReadingCache } from "./visitors-cache.ts"

/** Context of the use cases about visitors: what all share, and what only these keep and read. */
export interface VisitorsContext {
  context: Context
  readings: Readings
  posts: ScheduledPosts
  csvs: CsvQueue
  shown: Shown
  requested: RequestedGaps
}

export function createVisitorsContext(context: Context): VisitorsContext {
  const { store, docs, settings, events } = context
  const limit = limitAnalytics(store, {
    perHour: settings.limits.analyticsPerHour,
    timeoutMs: settings.docs.timeoutMs,
    accountOf: settings.projects.keyIdOf,
  })
  return {
    context,
    readings: createReadings(docs.api, limit, createReadingCache(store)),
    posts: createScheduledPosts(store, events.unreadable),
    csvs: createCsvQueue(store, events.unreadable),
    shown: createShown(store.redis),
    requested: createRequestedGaps(store.redis),
  }
}
