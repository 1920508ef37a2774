import { createAnalyticsHour } from "../redis/analytics-hour.ts"
import type { Services } from "../services.ts"
import { createWebClient } from "../slack/client.ts"
import { examine } from "./examine.ts"
import type { Finding } from "./finding.ts"
import { lookAtStore } from "./look-at-store.ts"

/** The same look from a running bot, over the connections that it works with. */
export function examineFromInside(services: Services): Promise<Finding[]> {
  const { config, log, front, queue, heard } = services
  const { slack } = config
  return examine({
    config,
    node: process.versions.node,
    store: () => lookAtStore(front, config.store.kind === "embedded"),
    slack: services.slack,
    slackApp:
      slack.mode === "socket"
        ? () => createWebClient(slack.appToken, slack.apiUrl, log)
        : undefined,
    docs: services.docs,
    stored: {
      queue,
      heard,
      hour: createAnalyticsHour(front, { perHour: config.limits.analyticsPerHour }),
    },
  })
}
