import type { WebClient } from "@slack/web-api"
import type { Config } from "../config/config.ts"
import type { DocsApi } from "../docs/api.ts"
import { limitVisitors } from "../docs/limited-visitors.ts"
import type { QueueStore } from "../jobs/ports.ts"
import type { LastSeen } from "../redis/last-seen.ts"
import type { AnalyticsHour } from "../visitors/ports.ts"
import type { IntakeFacts, StoreFacts } from "./facts.ts"
import type { Finding } from "./finding.ts"
import { judge } from "./judge.ts"
import { readProject } from "./read-service.ts"
import { readSlack, readSocketMode } from "./read-slack.ts"

/** What the doctor looks with; the same for the command line and for Slack. */
export interface Instruments {
  config: Config
  /** `process.versions.node` */
  node: string
  store: () => Promise<StoreFacts>
  slack: WebClient
  /** A client made with the app token. */
  slackApp: (() => WebClient) | undefined
  docs: DocsApi
  /** Absent when there is no Redis to ask. */
  stored: { queue: QueueStore; lastSeen: LastSeen; hour: AnalyticsHour } | undefined
}

/** Looks at everything at once and judges it. Nothing is changed and no job is spent. */
export async function examine(instruments: Instruments): Promise<Finding[]> {
  const { config, node, slack, docs } = instruments
  const store = await instruments.store()
  // Redis that does not answer has been waited for once; it is not asked again.
  const stored = store.state === "answers" ? instruments.stored : undefined
  const { timeoutMs } = config.docs
  // The read counts in the hour of analytics like any other, as soon as there is one to count in.
  const visitors: DocsApi["visitors"] = stored
    ? limitVisitors(docs, stored.hour, { keep: 0, timeoutMs })
    : (...query) => docs.visitors(...query)
  const pauseOf = async (project: string) => (await stored?.queue.facts(project))?.pause
  const [slackFacts, service] = await Promise.all([
    readSlack(slack, config.access.admins, placesIn(config), () =>
      intake(instruments, stored?.lastSeen),
    ),
    Promise.all(
      config.docs.projects.map(({ name }) => readProject(visitors, name, Date.now(), pauseOf)),
    ),
  ])
  return judge({ node, environment: [], store, slack: slackFacts, service })
}

/** Every channel that the configuration names. */
function placesIn({ access, docs }: Config) {
  const allowed = [...access.channels].map(
    (channel) => ({ channel, setting: "ALLOWED_CHANNELS" }) as const,
  )
  const routed = docs.projects.flatMap(({ channels }) =>
    [...channels].map((channel) => ({ channel, setting: "DOCS_PROJECTS" }) as const),
  )
  return [...allowed, ...routed.filter(({ channel }) => !access.channels.has(channel))]
}

async function intake(
  { slackApp }: Instruments,
  lastSeen: LastSeen | undefined,
): Promise<IntakeFacts> {
  if (slackApp) return readSocketMode(slackApp())
  const last = await lastSeen?.last()
  return { mode: "http", now: Date.now(), ...(last ? { lastSeen: last } : {}) }
}
