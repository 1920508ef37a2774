import type { Config } from "../config/config.ts"
import { limitAnalytics } from "../docs/limited-analytics.ts"
import { limitGaps } from "../docs/limited-gaps.ts"
import type { VisitorsDeps } from "../handlers/visitors/deps.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { IsOwnDirect, Outbound } from "../ports/outbound.ts"
import type { OnBroken } from "../redis/broken.ts"
import type { ReadProjectNames } from "../redis/projects/names.ts"
import type { RedisClient } from "../redis/script.ts"
import { createAlerts } from "../redis/visitors/alerts.ts"
import { createAnalyticsHour } from "../redis/visitors/analytics-hour.ts"
import { createCsvExports } from "../redis/visitors/csv-exports.ts"
import { createDayBook, createLinkedReports } from "../redis/visitors/day-book.ts"
import { serviceAccounts } from "../redis/visitors/service-account.ts"
import { createSharedReadings } from "../redis/visitors/shared-readings.ts"
import { createAbsences, createShownGaps } from "../redis/visitors/shown-gaps.ts"
import { createFallbackMemory, createShownReports } from "../redis/visitors/shown-reports.ts"
import { createSubscriptions } from "../redis/visitors/subscriptions.ts"
import type { Clock } from "../runtime/clock.ts"
import { alertMessage } from "../views/visitors/alerts.ts"
import { digestEnded, digestLine, digestSkipped } from "../views/visitors/digest.ts"
import { exportDone, exportFailed, exportProgress, exportUnsent } from "../views/visitors/export.ts"
import { withGaps } from "../views/visitors/gap-notices.ts"
import { shownGaps as whatIsShown } from "../views/visitors/gaps.ts"
import { reportMessage } from "../views/visitors/report.ts"
import type { AlertPassDeps, AlertViews } from "../visitors/alerts/pass.ts"
import type { DigestPassDeps, DigestViews } from "../visitors/digests/pass.ts"
import type { ExportPassDeps, ExportViews } from "../visitors/export-pass.ts"
import { gapsForDigests } from "../visitors/gaps/in-digest.ts"
import { createGapQuery } from "../visitors/gaps/query.ts"
import { createVisitorsQuery } from "../visitors/query.ts"
import type { ReadVisitors } from "../visitors/reading-ports.ts"
import { createReadings } from "../visitors/readings.ts"

/** The visitors feature over one Redis connection: its Slack entries and its passes. */
interface VisitorsServices {
  deps: VisitorsDeps
  exports: ExportPassDeps
  digests: DigestPassDeps
  alerts: AlertPassDeps
}

export const exportViews: ExportViews = {
  progress: exportProgress,
  failed: exportFailed,
  done: exportDone,
  unsent: exportUnsent,
}

export const digestViews: DigestViews = {
  digest: (report, subscription, level, gaps) =>
    withGaps(
      reportMessage(report, { kind: "digest", rhythm: digestLine(subscription) }, level),
      gaps,
    ),
  ended: digestEnded,
  skipped: digestSkipped,
}

export const alertViews: AlertViews = { alert: alertMessage }

/** What it is built from. */
interface VisitorsOptions {
  redis: RedisClient
  names: ReadProjectNames
  docs: DocsApi
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  onBroken: OnBroken
  now: Clock
}

export function createVisitorsServices(
  { limits, docs: service }: Config,
  { redis, docs, outbound, isOwnDirect, onBroken, now, names }: VisitorsOptions,
): VisitorsServices {
  const accounts = serviceAccounts(service)
  const hour = createAnalyticsHour(redis, {
    perHour: limits.analyticsPerHour,
    accountOf: accounts.of,
  })
  const limited = limitAnalytics(hour, service)
  const visitors: ReadVisitors = (reader, project, query) =>
    limited(reader, project, () => docs.visitors(project, query))
  const subjectOf = accounts.ofProject
  const shared = createSharedReadings(redis)
  const readings = createReadings(visitors, shared, { now, subjectOf })
  const ask = createVisitorsQuery(readings, now)
  const askGaps = createGapQuery({
    open: limitGaps(docs, hour, service),
    absences: createAbsences(redis, subjectOf),
    hour,
    shared: shared.gaps,
    now,
    subjectOf,
  })
  const shownGaps = createShownGaps(redis, names)
  const gapsFor = gapsForDigests(askGaps, shownGaps, whatIsShown)
  const alerts = createAlerts(redis, { names, onBroken })
  const linked = createLinkedReports(redis, names)
  const book = createDayBook(redis, subjectOf)
  const fallbackMemory = createFallbackMemory(redis)
  const subscriptions = createSubscriptions(redis, { names, onBroken })
  const exports = createCsvExports(redis, { names, onBroken })
  return {
    deps: {
      outbound,
      isOwnDirect,
      ask,
      fallbackMemory,
      subscriptions,
      shown: createShownReports(redis, names),
      exports: { readings, hour, exports, now },
      askGaps,
      shownGaps,
      alerts,
      linked,
      now,
    },
    exports: { visitors, readings, exports, outbound, views: exportViews, now },
    digests: { subscriptions, ask, fallbackMemory, outbound, gapsFor, views: digestViews },
    alerts: { alerts, visitors, book, readings, linked, outbound, views: alertViews },
  }
}
