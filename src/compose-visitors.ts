import type { Config } from "./config/config.ts"
import { limitAnalytics } from "./docs/limited-analytics.ts"
import type { PlaceOf } from "./messages/refusals.ts"
import type { DocsApi } from "./ports/docs-api.ts"
import type { IsOwnDirect, Outbound } from "./ports/outbound.ts"
import { currentTime } from "./store/clock.ts"
import type { Store } from "./store/script.ts"
import { createCsvExports } from "./visitors/csv-exports.ts"
import { createGapQuery } from "./visitors/gaps.ts"
import { createAnalyticsHour } from "./visitors/hour.ts"
import { createReadings } from "./visitors/readings.ts"
import { createVisitorsQuery } from "./visitors/report.ts"
import { createScheduledPosts } from "./visitors/scheduled-posts.ts"
import type { OnBroken } from "./visitors/scheduled-records.ts"
import { createSharedReadings } from "./visitors/shared-readings.ts"
import { createFallbackMemory, createShown } from "./visitors/shown.ts"

/** The parts that the visitors feature is built from. */
interface VisitorsOptions {
  store: Store
  docs: DocsApi
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  onBroken: OnBroken
  nameOf: (project: string) => string
  placeOf: PlaceOf
  /** Tells the service key of a project from others, without telling it. */
  printOf: (project: string) => string
}

/** The visitors feature over one Redis connection: for its Slack entries, and for its passes. */
export function createVisitorsServices(
  { limits, docs: service }: Config,
  { store, docs, outbound, isOwnDirect, onBroken, nameOf, placeOf, printOf }: VisitorsOptions,
) {
  const { redis } = store
  const now = () => currentTime(store)
  const perHour = limits.analyticsPerHour
  const hour = createAnalyticsHour(store, { perHour, accountOf: printOf })
  const reading = {
    limit: limitAnalytics(hour, service),
    shared: createSharedReadings(redis),
    now,
  }
  const readings = createReadings((...query) => docs.visitors(...query), reading)
  return {
    outbound,
    isOwnDirect,
    now,
    nameOf,
    placeOf,
    readings,
    ask: createVisitorsQuery(readings, now, nameOf),
    askGaps: createGapQuery({ docs, nameOf, ...reading }),
    shown: createShown(redis),
    fallbackMemory: createFallbackMemory(redis),
    posts: createScheduledPosts(store, onBroken),
    exports: createCsvExports(store, onBroken),
  }
}
