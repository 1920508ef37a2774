import { createAnalyticsHour } from "../redis/analytics-hour.ts"
import type { Services } from "../services.ts"
import { createWebClient } from "../slack/client.ts"
import { examine } from "./examine.ts"
import type { Finding } from "./finding.ts"
import { readStore } from "./read-store.ts"

/** The same look from a running bot, over the connections that it works with. */
export function examineFromInside(services: Services): Promise<Finding[]> {
  const { config, log, requestRedis, queue, lastSeen } = services
  const { slack } = config
  return examine({
    config,
    node: process.versions.node,
    store: () => readStore(requestRedis, config.store.kind === "embedded"),
    slack: services.slack,
    slackApp:
      slack.mode === "socket"
        ? () => createWebClient(slack.appToken, slack.apiUrl, log)
        : undefined,
    docs: services.docs,
    stored: {
      queue,
      lastSeen,
      hour: createAnalyticsHour(requestRedis, { perHour: config.limits.analyticsPerHour }),
    },
  })
}
