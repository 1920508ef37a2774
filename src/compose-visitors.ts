import type { Config } from "./config/config.ts"
import type { DocsApi } from "./docs/client.ts"
import type { PlaceOf } from "./messages/refusals.ts"
import type { IsOwnDirect } from "./slack/membership.ts"
import type { Outbound } from "./slack/web-outbound.ts"
import { currentTime } from "./store/clock.ts"
import type { Store } from "./store/script.ts"
import { createReadingCache } from "./visitors/cache.ts"
import { createFallback } from "./visitors/fallback.ts"
import { createGapQuery } from "./visitors/gaps.ts"
import { limitAnalytics } from "./visitors/hour.ts"
import { createReadings } from "./visitors/readings.ts"
import { createVisitorsQuery } from "./visitors/report.ts"
import { createScheduledPosts } from "./visitors/scheduled-posts.ts"
import { createShown } from "./visitors/shown.ts"

/** The parts that the visitors feature is built from. */
interface VisitorsOptions {
  store: Store
  docs: DocsApi
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  onBroken: (key: string, error: unknown) => void
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
  const limit = limitAnalytics(store, {
    perHour: limits.analyticsPerHour,
    timeoutMs: service.timeoutMs,
    accountOf: printOf,
  })
  const cached = createReadingCache(redis, now)
  const readings = createReadings((...query) => docs.visitors(...query), limit, cached)
  return {
    redis,
    outbound,
    isOwnDirect,
    now,
    nameOf,
    placeOf,
    readings,
    ask: createVisitorsQuery(readings, now, nameOf),
    askGaps: createGapQuery(docs, limit, cached, { now, nameOf }),
    shown: createShown(redis),
    sendWithFallback: createFallback(redis),
    posts: createScheduledPosts(store, onBroken),
  }
}
