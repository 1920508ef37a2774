import type { Config } from "./config/config.ts"
import { limitAnalytics } from "./docs/limited-analytics.ts"
import type { DocsApi } from "./ports/docs-api.ts"
import type { IsOwnDirect, Outbound } from "./ports/outbound.ts"
import type { OnBroken } from "./redis/broken.ts"
import { redisTime } from "./redis/clock.ts"
import { projectNames } from "./redis/projects/names.ts"
import type { RedisClient } from "./redis/script.ts"
import { createCsvExports } from "./redis/visitors/csv-exports.ts"
import { createAnalyticsHour } from "./redis/visitors/hour.ts"
import { createScheduledPosts } from "./redis/visitors/scheduled-posts.ts"
import { serviceAccounts } from "./redis/visitors/service-account.ts"
import { createSharedReadings } from "./redis/visitors/shared-readings.ts"
import { createFallbackMemory, createShown } from "./redis/visitors/shown.ts"
import { createGapQuery } from "./visitors/gaps.ts"
import { createReadings } from "./visitors/readings.ts"
import { createVisitorsQuery } from "./visitors/report.ts"

/** Whatever it is built from. */
interface VisitorsOptions {
  redis: RedisClient
  docs: DocsApi
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  onBroken: OnBroken
}

/** The visitors feature over one Redis connection: for its Slack entries, and for its passes. */
export function createVisitorsServices(
  { limits, docs: service }: Config,
  { redis, docs, outbound, isOwnDirect, onBroken }: VisitorsOptions,
) {
  const names = projectNames(service.projects)
  const accounts = serviceAccounts(service)
  const now = () => redisTime(redis)
  const perHour = limits.analyticsPerHour
  const hour = createAnalyticsHour(redis, { perHour, accountOf: accounts.of })
  const limit = limitAnalytics(hour, service)
  const shared = createSharedReadings(redis)
  const sharing = { limit, shared, now, subjectOf: accounts.ofProject }
  const readings = createReadings((...query) => docs.visitors(...query), sharing)
  return {
    outbound,
    isOwnDirect,
    now,
    readings,
    ask: createVisitorsQuery(readings, now),
    askGaps: createGapQuery({ docs, ...sharing }),
    shown: createShown(redis, names),
    fallbackMemory: createFallbackMemory(redis),
    posts: createScheduledPosts(redis, { names, onBroken }),
    exports: createCsvExports(redis, { names, onBroken }),
  }
}
